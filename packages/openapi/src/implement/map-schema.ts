import { isRecord } from '../guards.ts'

type Schema = Readonly<Record<string, unknown>>
type Change = (schema: Schema) => Schema

const ONE =
  'not if then else contains propertyNames additionalProperties unevaluatedProperties unevaluatedItems items contentSchema'
const LISTS = 'allOf anyOf oneOf prefixItems'
const MAPS = 'properties patternProperties dependentSchemas $defs definitions'

const WITHIN: ReadonlyMap<string, (value: unknown, change: Change) => unknown> = new Map([
  ...MAPS.split(' ').map((key) => [key, mapSchemas] as const),
  ...`${ONE} ${LISTS}`.split(' ').map((key) => [key, mapSchema] as const),
])

/** Copies a schema or a list of them, and changes each schema in it, inner ones first. */
export function mapSchema(schema: unknown, change: Change): unknown {
  if (Array.isArray(schema)) return schema.map((one) => mapSchema(one, change))
  if (!isRecord(schema)) return schema
  const copy = Object.entries(schema).map(([key, value]): [string, unknown] => [
    key,
    WITHIN.get(key)?.(value, change) ?? value,
  ])
  return change(Object.fromEntries(copy))
}

/** Copies and changes schemas by name. */
export function mapSchemas(schemas: unknown, change: Change): unknown {
  if (!isRecord(schemas)) return schemas
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, mapSchema(one, change)]))
}
