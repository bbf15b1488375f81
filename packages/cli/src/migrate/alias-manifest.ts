import type { Json } from '../diff/json.ts'
import { isObject, listOf, objectOf } from '../diff/json.ts'

/** The alias of the migration guide. */
const ALIAS = 'npm:@cloister/fastify@^5.12.0'

/** A package manager: its lock file, and where a manifest has its overrides. */
export interface Manager {
  readonly name: string
  readonly lock: string
  readonly overrides: Json
}

const PNPM = { overrides: { fastify: ALIAS }, peerDependencyRules: { allowAny: ['fastify'] } }

/** The package managers, by their lock files; npm is last, because it is also what a project without one gets. */
export const MANAGERS: readonly Manager[] = [
  { name: 'pnpm', lock: 'pnpm-lock.yaml', overrides: { pnpm: PNPM } },
  { name: 'yarn', lock: 'yarn.lock', overrides: { resolutions: { fastify: ALIAS } } },
  { name: 'bun', lock: 'bun.lock', overrides: { overrides: { fastify: ALIAS } } },
  { name: 'bun', lock: 'bun.lockb', overrides: { overrides: { fastify: ALIAS } } },
  { name: 'npm', lock: 'package-lock.json', overrides: { overrides: { fastify: '$fastify' } } },
]

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies']

/** Whether a manifest depends on Fastify; a plugin that has it as a peer alone does not install it. */
export function hasFastify(manifest: Json): boolean {
  return DEPENDENCIES.some((kind) => objectOf(manifest[kind])['fastify'] !== undefined)
}

/**
 * Writes the alias into a manifest, in the indentation that it has.
 *
 * @param overrides - those of the package manager, for the manifest at the root
 */
export function aliasManifest(text: string, overrides: Json): string {
  const manifest: unknown = JSON.parse(text)
  const changed: Record<string, unknown> = { ...objectOf(manifest) }
  for (const kind of DEPENDENCIES) {
    const found = objectOf(changed[kind])
    if (found['fastify'] !== undefined) changed[kind] = { ...found, fastify: ALIAS }
  }
  const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(text) ?? []
  return `${JSON.stringify(merge(changed, overrides), null, indent)}${text.endsWith('\n') ? '\n' : ''}`
}

/** Merges objects member by member; lists are joined. */
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
