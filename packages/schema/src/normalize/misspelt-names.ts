import { isPlainObject } from '../guards.ts'
import { nearestNames } from '../suggest.ts'

/**
 * Finds required names that are hardly meant: `properties` lacks the name and has a similar one that is not required. A
 * request with the declared name would be refused.
 *
 * @param seen - schemas that are not read again
 * @returns a text for each, such as `'nmae' (did you mean 'name'?)`
 */
export function findMisspeltNames(schema: unknown, seen: Set<unknown> = new Set()): string[] {
  if (!isPlainObject(schema) || seen.has(schema)) return []
  seen.add(schema)
  const { properties, required, items } = schema
  const declared = isPlainObject(properties) ? properties : {}
  // Most schemas have nothing below them.
  const below = [...Object.values(declared), items].filter((one) => isPlainObject(one))
  const found = Array.isArray(required) ? required.flatMap((name) => misspelt(name, declared, required)) : []
  return below.length === 0 ? found : [...found, ...below.flatMap((one) => findMisspeltNames(one, seen))]
}

function misspelt(
  name: unknown,
  declared: Readonly<Record<string, unknown>>,
  required: readonly unknown[],
): string[] {
  if (typeof name !== 'string' || Object.hasOwn(declared, name)) return []
  const free = Object.keys(declared).filter((one) => !required.includes(one))
  const [nearest] = nearestNames(name, free, 1)
  return nearest === undefined ? [] : [`'${name}' (did you mean '${nearest}'?)`]
}
