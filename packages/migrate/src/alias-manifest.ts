import type { Json } from '@cloister/cli/internal'
import { isObject, listOf, objectOf } from '@cloister/cli/internal'

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
