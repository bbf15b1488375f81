import { defined, isRecord } from '../guards.ts'
import { mapSchema } from '../implement/map-schema.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * Writes a schema of 2020-12 in the dialect of AsyncAPI, a superset of draft-07 (AsyncAPI 3.0.0, Schema Object). What
 * draft-07 cannot express is omitted, so that the document allows more than the app does.
 */
export function inDraft07(schema: unknown): unknown {
  return mapSchema(schema, rewrite)
}

function rewrite(schema: Schema): Schema {
  const { $ref, allOf, discriminator, prefixItems, items, dependentRequired, dependentSchemas, ...more } =
    schema
  const { minContains: _min, maxContains: _max, contentSchema: _content, ...others } = more
  const { unevaluatedItems: _items, unevaluatedProperties: _properties, ...rest } = others
  const all: unknown[] = Array.isArray(allOf) ? allOf : []
  const also = dependentSchemas === undefined ? all : [...all, { dependencies: dependentSchemas }]
  const draft: Schema = defined({
    ...rest,
    items: prefixItems ?? items,
    additionalItems: prefixItems === undefined ? undefined : items,
    dependencies: dependentRequired,
    discriminator: isRecord(discriminator) ? discriminator['propertyName'] : undefined,
    allOf: also.length === 0 ? undefined : also,
  })
  if ($ref === undefined) return draft
  // Draft-07 ignores what is beside a reference.
  return Object.keys(draft).length === 0 ? { $ref } : { allOf: [{ $ref }, draft] }
}
