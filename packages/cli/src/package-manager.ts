import type { Json } from './diff/json.ts'

/** The alias of the migration guide. */
export const ALIAS = 'npm:@cloister/fastify@^5.12.0'

/** A package manager: its lock file and its commands. */
export interface Manager {
  readonly name: string
  readonly lock: string
  /** Returns the overrides in a manifest that replace `fastify` by an alias. */
  readonly overrides: (alias: string) => Json
  /** The command that installs and writes the lock file. */
  readonly install: string
  /** What precedes a flag for the script `test`. */
  readonly testFlag: string
}

const pnpm = (alias: string): Json => ({
  pnpm: { overrides: { fastify: alias }, peerDependencyRules: { allowAny: ['fastify'] } },
})
const NPM: Manager = {
  name: 'npm',
  lock: 'package-lock.json',
  overrides: () => ({ overrides: { fastify: '$fastify' } }),
  install: 'npm install',
  testFlag: ' -- ',
}
const BUN: Manager = {
  name: 'bun',
  lock: 'bun.lock',
  overrides: (alias) => ({ overrides: { fastify: alias } }),
  install: 'bun install',
  testFlag: ' ',
}

/** The package managers by lock file. npm is last, because it is also the default. */
const MANAGERS: readonly Manager[] = [
  {
    name: 'pnpm',
    lock: 'pnpm-lock.yaml',
    overrides: pnpm,
    install: 'pnpm install --no-frozen-lockfile',
    testFlag: ' ',
  },
  {
    name: 'yarn',
    lock: 'yarn.lock',
    overrides: (alias) => ({ resolutions: { fastify: alias } }),
    install: 'yarn install',
    testFlag: ' ',
  },
  BUN,
  { ...BUN, lock: 'bun.lockb' },
  NPM,
]

/** Returns the package manager of a project. */
export function managerOf(hasFile: (name: string) => boolean): Manager {
  return MANAGERS.find(({ lock }) => hasFile(lock)) ?? NPM
}

/**
 * Returns the command that installs the alias. `npm install` alone keeps an installed Fastify whose version fits the
 * range of the alias: it compares the range, not the name.
 */
export function installCommand(
  manager: Manager,
  alias: string,
  { isRoot, inside }: { readonly isRoot: boolean; readonly inside: readonly string[] },
): string {
  if (manager.name !== 'npm') return manager.install
  const workspaces = inside.map((folder) => ` -w ${folder}`).join('')
  const root = isRoot && inside.length > 0 ? ' --include-workspace-root' : ''
  return `${manager.install} "fastify@${alias}"${workspaces}${root}`
}

/** Says that the package manager kept Fastify though the manifest has an alias, and which command installs the alias. */
export function keptFastify(version: string, command: string): string {
  return `node_modules/fastify is still Fastify ${version}: the package manager kept it, because its version fits the range of the alias; this command replaces it: ${command}`
}
