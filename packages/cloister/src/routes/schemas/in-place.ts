import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'

import { isRecord } from '../../guards.ts'

export interface PlacedSchema {
  readonly at: SchemaLocation
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Yields the schemas that apply to the same value as one schema: the target of `$ref`, then those under some keywords,
 * each before the schema that refers to it.
 *
 * @param keywords - the keywords with a schema or a list of them, such as `allOf`
 */
export function* inPlace(
  at: SchemaLocation,
  scope: SchemaScope,
  keywords: readonly string[],
  seen: Set<unknown> = new Set(),
): Generator<PlacedSchema> {
  const { schema } = at
  if (!isRecord(schema) || seen.has(schema)) return
  seen.add(schema)
  const { $ref } = schema
  const target = typeof $ref === 'string' ? scope.resolve(at, $ref) : undefined
  if (target !== undefined) yield* inPlace(target, scope, keywords, seen)
  for (const keyword of keywords) {
    const below = schema[keyword]
    const steps = Array.isArray(below) ? Array.from(below.keys(), (index) => [keyword, index]) : [[keyword]]
    for (const path of steps) yield* inPlace(childLocation(at, path), scope, keywords, seen)
  }
  yield { at, schema }
}

/** Keywords with subschemas for the same value. */
export const IN_PLACE = ['allOf', 'anyOf', 'oneOf'] as const

/** Whether a schema says itself that a value may be an object. */
export function isOfObjects(schema: unknown): boolean {
  const type = isRecord(schema) ? schema['type'] : undefined
  return Array.isArray(type) ? type.includes('object') : type === 'object'
}
