import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A type made looser than it should be, or a class that no longer has its type, and the type tests that must see it. */
export interface Mutation {
  /** File of `src/types`. */
  readonly file: string
  /** The alias whose body is replaced, or the text that is. */
  readonly target: { readonly alias: string } | { readonly text: string }
  /** What stands there instead. */
  readonly by: string
  /** Files of `test-d`, without `.test-d.ts`; none where the changed file itself no longer compiles. */
  readonly seenBy: readonly string[]
}

const packageFile = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Replaces the body of `type Name<…> = body` in a source text. */
export function replaceAlias(source: string, name: string, body: string): string {
  const head = new RegExp(`^(?:export )?type ${name}\\b`, 'm').exec(source)
  if (head === null) throw new Error(`no alias '${name}' to loosen`)
  const start = bodyStart(source, head.index)
  const rest = source.slice(start)
  const end = /\n(?=export |type |interface |declare |\/\*\*|\/\/)|\n\n|$/.exec(rest)?.index ?? rest.length
  return `${source.slice(0, start)} ${body}\n${rest.slice(end)}`
}

// The `=` of a declaration is the first one outside of angle brackets: defaults of parameters stand inside them.
function bodyStart(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === '<') depth++
    else if (char === '>') depth--
    else if (char === '=' && depth === 0) return at + 1
  }
  throw new Error('a type alias without a body')
}

/** Makes a copy of the sources in which one type is looser, with a project that judges it; gives the project. */
export async function loosen(mutation: Mutation, name: string): Promise<string> {
  const folder = packageFile(`test/types/dist/${name}`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(packageFile('src'), `${folder}/src`, { recursive: true })
  const path = `${folder}/src/types/${mutation.file}`
  await writeFile(path, loosened(await readFile(path, 'utf8'), mutation))
  const project = `${folder}/tsconfig.json`
  await writeFile(project, JSON.stringify(projectOf(mutation)))
  return project
}

/** Returns the source text with the mutation. */
export function loosened(source: string, { target, by }: Mutation): string {
  if ('alias' in target) return replaceAlias(source, target.alias, by)
  if (!source.includes(target.text)) throw new Error(`no text '${target.text}' to loosen`)
  return source.replace(target.text, () => by)
}

function projectOf({ file, seenBy }: Mutation): object {
  const tests = seenBy.map((name) => packageFile(`test-d/${name}.test-d.ts`))
  return {
    extends: packageFile('test-d/tsconfig.json'),
    compilerOptions: { paths: { cloister: ['./src/index.ts'] } },
    include: [],
    files: tests.length > 0 ? tests : [`src/types/${file}`],
  }
}
