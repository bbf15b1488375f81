import { isIdle, TYPE_OF } from '../document/idle.ts'
import { typesOf } from '../document/json-types.ts'
import { pointerToken } from '../document/pointer.ts'
import { isPlainObject } from '../guards.ts'

/**
 * Finds keywords that check nothing, such as `properties` beside `type: 'array'`.
 *
 * @param pointer - of the schema, in the text of a keyword
 * @param seen - schemas that are not read again
 * @param found - gets a text for each, such as `/items/minimum (for type "number", beside "string")`
 */
export function findIdleKeywords(
  schema: unknown,
  pointer: string = '',
  seen: Set<unknown> = new Set(),
  found: string[] = [],
): readonly string[] {
  if (!isPlainObject(schema) || seen.has(schema)) return found
  seen.add(schema)
  for (const keyword of Object.keys(schema)) {
    if (!isIdle(keyword, schema)) continue
    found.push(
      `${pointer}/${keyword} (for type "${TYPE_OF.get(keyword)}", beside "${typesOf(schema).join('", "')}")`,
    )
  }
  const { properties, items } = schema
  if (isPlainObject(properties))
    for (const [name, one] of Object.entries(properties))
      findIdleKeywords(one, `${pointer}/properties/${pointerToken(name)}`, seen, found)
  return findIdleKeywords(items, `${pointer}/items`, seen, found)
}
