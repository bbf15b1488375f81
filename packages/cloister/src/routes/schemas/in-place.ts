import { childLocation, type SchemaLocation, type SchemaScope } from '@cloister/schema'

import { isRecord } from '../../guards.ts'

export interface PlacedSchema {
  readonly at: SchemaLocation
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Yields the schemas that apply to the same value as one schema: the target of `$ref`, then those in lists under some
 * keywords, each before the schema that refers to it.
 *
 * @param keywords - the keywords with lists, such as `allOf`
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
    const list = schema[keyword]
    if (!Array.isArray(list)) continue
    for (const index of list.keys())
      yield* inPlace(childLocation(at, [keyword, index]), scope, keywords, seen)
  }
  yield { at, schema }
}
