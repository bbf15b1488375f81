import { isObject, isSchemaObject } from '../guards.ts'
import { namesOf, SUBSCHEMAS } from './vocabulary.ts'

/** The keys from the root of a document to a schema in it. */
export type Path = (string | number)[]

/** Keywords whose schemas apply only if something refers to them. */
export const DEFINITIONS: ReadonlySet<string> = new Set(namesOf(({ role }) => role === 'core'))

/** Calls `visit` for each subschema; during the call, `path` is the path of the subschema. */
export function eachSubschema(
  schema: unknown,
  path: Path,
  visit: (child: unknown, keyword: string) => void,
): void {
  if (!isSchemaObject(schema)) return
  for (const keyword of Object.keys(schema)) {
    const shape = SUBSCHEMAS.get(keyword)
    const value = schema[keyword]
    if (shape === undefined || !isObject(value)) continue
    path.push(keyword)
    if (shape === 'schema' || (shape === 'schema-or-list' && !Array.isArray(value))) {
      visit(value, keyword)
    } else {
      for (const key of Object.keys(value)) {
        const entry = value[key]
        if (shape === 'map-or-names' && Array.isArray(entry)) continue
        path.push(key)
        visit(entry, keyword)
        path.pop()
      }
    }
    path.pop()
  }
}
