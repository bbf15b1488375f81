import { IN_PLACE } from '../document/in-place.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'
import { isPlainObject, listOf } from '../guards.ts'
import { nearestNames } from '../suggest.ts'

/** A schema for the same value may declare the names that one of these requires. */
const SAME_VALUE: ReadonlySet<string> = new Set([...IN_PLACE, '$ref', 'dependentSchemas', 'not'])

/**
 * Finds required names that are hardly meant: `properties` lacks the name and has a similar one that is not required. A
 * request with the declared name would be refused.
 *
 * @returns a text for each, such as `'nmae' (did you mean 'name'?)`
 */
export function findMisspeltNames(root: unknown): string[] {
  const found: string[] = []
  const seen = new Set<unknown>()
  const path: Path = []
  const visit = (schema: unknown, keyword?: string): void => {
    if (!isPlainObject(schema) || seen.has(schema) || (keyword !== undefined && SAME_VALUE.has(keyword)))
      return
    seen.add(schema)
    const { properties, required } = schema
    if (isPlainObject(properties) && !Object.keys(schema).some((name) => SAME_VALUE.has(name)))
      for (const name of listOf(required)) found.push(...misspelt(name, properties, listOf(required)))
    eachSubschema(schema, path, visit)
  }
  visit(root)
  return found
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
