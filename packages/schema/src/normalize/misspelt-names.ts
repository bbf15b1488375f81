import { isPlainObject, listOf } from '../guards.ts'
import { nearestNames } from '../suggest.ts'

/**
 * Finds required names that are hardly meant: `properties` lacks the name and has a similar one that is not required. A
 * request with the declared name would be refused.
 *
 * @param seen - schemas that are not read again
 * @param found - gets a text for each, such as `'nmae' (did you mean 'name'?)`
 */
export function findMisspeltNames(
  schema: unknown,
  seen: Set<unknown> = new Set(),
  found: string[] = [],
): readonly string[] {
  if (!isPlainObject(schema) || !hasBelow(schema) || seen.has(schema)) return found
  seen.add(schema)
  const { properties, required, items } = schema
  if (isPlainObject(properties)) {
    for (const name of listOf(required)) found.push(...misspelt(name, properties, listOf(required)))
    for (const one of Object.values(properties)) findMisspeltNames(one, seen, found)
  }
  return findMisspeltNames(items, seen, found)
}

/** Most schemas have nothing below them. */
const hasBelow = ({ properties, items }: Readonly<Record<string, unknown>>): boolean =>
  (properties ?? items) !== undefined

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
