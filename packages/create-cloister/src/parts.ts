interface Part {
  readonly title: string
  readonly isDefault: boolean
  /** packages with their versions; `null` is the version of the framework */
  readonly dependencies: Readonly<Record<string, string | null>>
  /** Packages that production does without. */
  readonly devDependencies?: Readonly<Record<string, string>>
}

export type PartName = 'tests' | 'docker' | 'plugins' | 'openapi' | 'database' | 'auth'

/** The parts of a project, in the order of the question. */
export const PARTS: Readonly<Record<PartName, Part>> = {
  tests: { title: 'tests', isDefault: true, dependencies: {} },
  docker: { title: 'a Dockerfile', isDefault: true, dependencies: {} },
  plugins: {
    title: 'the types of plugins written for Fastify (@fastify/*)',
    isDefault: true,
    dependencies: { fastify: 'npm:@cloister/fastify@^5.12.0' },
  },
  openapi: {
    title: 'an OpenAPI document and its page',
    isDefault: false,
    dependencies: { '@cloister/openapi': null },
    devDependencies: { '@scalar/api-reference': '^1.0.0' },
  },
  database: { title: 'a database (SQLite)', isDefault: false, dependencies: { libsql: '^0.5.0' } },
  auth: { title: 'keys for clients', isDefault: false, dependencies: { '@cloister/bearer-auth': null } },
}

export const PART_NAMES: readonly PartName[] = ['tests', 'docker', 'plugins', 'openapi', 'database', 'auth']

/** A line that only some projects have: `  //[auth !database] text`. */
const CONDITIONAL = /^( *)\/\/\[([^\]]+)\](?: (.*))?$/

/** Returns the text of a template for a project with these parts. */
export function choose(template: string, chosen: ReadonlySet<string>): string {
  const lines = template.split('\n').flatMap((line) => {
    const [, indent = '', condition, text] = CONDITIONAL.exec(line) ?? []
    if (condition === undefined) return [line]
    const holds = condition
      .split(' ')
      .every((name) => (name.startsWith('!') ? !chosen.has(name.slice(1)) : chosen.has(name)))
    return holds ? [text === undefined ? '' : indent + text] : []
  })
  return lines.join('\n')
}
