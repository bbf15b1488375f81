import { isIdle, TYPE_OF } from '../document/idle.ts'
import { typesOf } from '../document/json-types.ts'
import { pointerOf } from '../document/pointer.ts'
import { eachSubschema, type Path } from '../document/subschemas.ts'
import { isPlainObject } from '../guards.ts'

/**
 * Finds keywords that check nothing, such as `properties` beside `type: 'array'`.
 *
 * @returns a text for each, such as `/items/minimum (for type "number", beside "string")`
 */
export function findIdleKeywords(root: unknown): string[] {
  const found: string[] = []
  const seen = new Set<unknown>()
  const path: Path = []
  const visit = (schema: unknown): void => {
    if (!isPlainObject(schema) || seen.has(schema)) return
    seen.add(schema)
    for (const keyword of Object.keys(schema)) {
      if (!isIdle(keyword, schema)) continue
      const why = `for type "${TYPE_OF.get(keyword)}", beside "${typesOf(schema).join('", "')}"`
      found.push(`${pointerOf([...path, keyword])} (${why})`)
    }
    eachSubschema(schema, path, visit)
  }
  visit(root)
  return found
}
