import type { Json } from '../diff/json.ts'
import { isObject, listOf, objectOf } from '../diff/json.ts'

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

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies']

/** Whether a manifest depends on Fastify; a peer dependency alone does not install it. */
export function hasFastify(manifest: Json): boolean {
  return DEPENDENCIES.some((kind) => objectOf(manifest[kind])['fastify'] !== undefined)
}

/** Frameworks that bring Fastify as a dependency of their own. */
export const BRINGING: readonly string[] = ['@nestjs/platform-fastify']

/** Whether a manifest depends on Fastify only through a framework, such as Nest. */
export function bringsFastify(manifest: Json): boolean {
  return (
    !hasFastify(manifest) &&
    DEPENDENCIES.some((kind) => BRINGING.some((name) => objectOf(manifest[kind])[name] !== undefined))
  )
}

/** What the move writes into a manifest. */
export interface ManifestChange {
  /** The new name and version for the dependency `fastify`. */
  readonly dependency: readonly [name: string, version: string]
  /** The overrides of the package manager, for the root manifest. */
  readonly overrides: Json
  /** Whether to add the dependency where there is none. */
  readonly adds: boolean
}

/** Replaces the dependency `fastify` in a manifest, and keeps the indentation; a manifest without changes stays as it is. */
export function rewriteManifest(
  text: string,
  { dependency: [name, version], overrides, adds }: ManifestChange,
): string {
  const manifest: unknown = JSON.parse(text)
  const changed: Record<string, unknown> = { ...objectOf(manifest) }
  for (const kind of DEPENDENCIES) {
    const found = objectOf(changed[kind])
    if (found['fastify'] === undefined) continue
    changed[kind] = Object.fromEntries(
      Object.entries(found).map((entry) => (entry[0] === 'fastify' ? [name, version] : entry)),
    )
  }
  if (adds) changed['dependencies'] = { ...objectOf(changed['dependencies']), [name]: version }
  const merged = merge(changed, overrides)
  if (JSON.stringify(merged) === JSON.stringify(manifest)) return text
  return `${JSON.stringify(merged, null, indentOf(text))}${text.endsWith('\n') ? '\n' : ''}`
}

/** Returns the indentation of a manifest, for `JSON.stringify`. */
export function indentOf(text: string): string {
  return /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  '
}

function merge(one: Json, other: Json): Json {
  const merged: Record<string, unknown> = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const found = merged[name]
    if (isObject(value)) merged[name] = merge(objectOf(found), value)
    else
      merged[name] =
        Array.isArray(value) && Array.isArray(found)
          ? [...new Set([...listOf(found), ...listOf(value)])]
          : value
  }
  return merged
}
