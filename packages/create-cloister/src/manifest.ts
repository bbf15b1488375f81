import { PARTS } from './parts.ts'
import type { PartName } from './parts.ts'

const VERSIONS = { node: '^24.0.0', pinoPretty: '^13.0.0', tsx: '^4.20.0', typescript: '^7.0.0' } as const

/** The packages of every project, with the version of the framework. */
const OF_ALL = ['@cloister/cli', '@cloister/web', 'cloister'].map((name) => [name, null] as const)

/** Returns the `package.json` of a new project. */
export function manifestOf(name: string, version: string, parts: ReadonlySet<PartName>): object {
  const framework = `^${version}`
  const ofParts = [...parts].flatMap((part) => Object.entries(PARTS[part].dependencies))
  const dependencies = Object.fromEntries(
    [...OF_ALL, ...ofParts]
      .map(([dependency, wanted]) => [dependency, wanted ?? framework] as const)
      .toSorted(([one], [other]) => one.localeCompare(other)),
  )
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts: {
      dev: 'cloister start --watch --app src/app.ts | pino-pretty',
      test: parts.has('tests') ? 'tsc && node --import tsx --test test/*.test.ts' : 'tsc',
      routes: 'cloister routes --app src/app.ts',
      build: 'tsc -p tsconfig.build.json',
      start: 'cloister start --app dist/app.js',
    },
    dependencies,
    // Plugins that bring their own fastify get the same one.
    ...(parts.has('plugins') ? { overrides: { fastify: '$fastify' } } : {}),
    devDependencies: devDependenciesOf(parts),
    // swagger-ui-dist, which can be the page, brings an install script that reports installations.
    ...(parts.has('openapi') ? { scarfSettings: { enabled: false } } : {}),
  }
}

function devDependenciesOf(parts: ReadonlySet<PartName>): Readonly<Record<string, string>> {
  const ofParts = [...parts].flatMap((part) => Object.entries(PARTS[part].devDependencies ?? {}))
  const own = Object.entries({
    '@types/node': VERSIONS.node,
    'pino-pretty': VERSIONS.pinoPretty,
    tsx: VERSIONS.tsx,
    typescript: VERSIONS.typescript,
  })
  return Object.fromEntries([...own, ...ofParts].toSorted(([one], [other]) => one.localeCompare(other)))
}
