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
  const names: unknown[] = Array.isArray(required) ? required : []
  const free = Object.keys(declared).filter((name) => !names.includes(name))
  const found = names.flatMap((name) => {
    if (typeof name !== 'string' || Object.hasOwn(declared, name)) return []
    const [nearest] = nearestNames(name, free, 1)
    return nearest === undefined ? [] : [`'${name}' (did you mean '${nearest}'?)`]
  })
  return [...found, ...[...Object.values(declared), items].flatMap((one) => findMisspeltNames(one, seen))]
}
