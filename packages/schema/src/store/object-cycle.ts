import { SchemaError } from '../errors.ts'
import { isObject, isPlainObject } from '../guards.ts'
import { SUBSCHEMAS } from '../document/vocabulary.ts'
import { pointerToken } from '../document/pointer.ts'

/**
 * Throws for a schema object that contains itself. It has no JSON and no end; a `$ref` expresses the same.
 * @throws {@link SchemaError} `SCHEMA_INVALID`
 */
export function assertNoCircle(schema: unknown): void {
  walk(schema, '', new Map(), new Set())
}

/** @param above - the schemas around this one, with their pointers */
function walk(schema: unknown, pointer: string, above: Map<object, string>, seen: Set<object>): void {
  if (!isPlainObject(schema)) return
  const first = above.get(schema)
  if (first !== undefined) {
    throw new SchemaError({
      code: 'SCHEMA_INVALID',
      pointer,
      reason:
        `this is the same object as the schema ${first === '' ? 'around it' : `at ${first}`}, so the schema has no ` +
        `end; write { $ref: ${JSON.stringify(`#${first}`)} } instead`,
    })
  }
  if (seen.has(schema)) return
  seen.add(schema)
  above.set(schema, pointer)
  for (const keyword of Object.keys(schema)) {
    const shape = SUBSCHEMAS.get(keyword)
    const value = schema[keyword]
    if (shape === undefined || !isObject(value)) continue
    const below = `${pointer}/${pointerToken(keyword)}`
    if (shape === 'schema' || (shape === 'schema-or-list' && !Array.isArray(value))) {
      walk(value, below, above, seen)
      continue
    }
    for (const key of Object.keys(value)) walk(value[key], `${below}/${pointerToken(key)}`, above, seen)
  }
  above.delete(schema)
}
