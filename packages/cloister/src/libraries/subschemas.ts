import { isRecord } from '../guards.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Keywords with one schema, or with a list of them. */
const PLAIN: ReadonlySet<string> = new Set(
  'items additionalItems additionalProperties propertyNames not allOf anyOf oneOf prefixItems'.split(' '),
)
/** Keywords with schemas by name. */
const NAMED: ReadonlySet<string> = new Set('properties patternProperties definitions $defs'.split(' '))

/** Whether a keyword holds schemas. */
export function holdsSchemas(keyword: string): boolean {
  return PLAIN.has(keyword) || NAMED.has(keyword)
}

/** The schemas directly in a keyword, each with the keys that lead to it; boolean schemas are left out. */
export function schemasIn(keyword: string, value: unknown): (readonly [key: string | null, JsonSchema])[] {
  if (!holdsSchemas(keyword)) return []
  if (typeof value !== 'object' || value === null) return []
  const isOne = PLAIN.has(keyword) && !Array.isArray(value)
  const entries: [string | null, unknown][] = isOne ? [[null, value]] : Object.entries(value)
  return entries.flatMap(([key, one]) => (isRecord(one) ? [[key, one] as const] : []))
}

/** The value of a keyword with each schema directly in it changed. */
export function changeBelow(
  keyword: string,
  value: unknown,
  change: (schema: JsonSchema, key: string | null) => unknown,
): unknown {
  const changed = new Map(schemasIn(keyword, value).map(([key, one]) => [key, change(one, key)]))
  if (changed.has(null)) return changed.get(null)
  const keep = ([key, one]: [string, unknown]): [string, unknown] => [key, changed.get(key) ?? one]
  if (Array.isArray(value)) return Object.entries(value).map((entry) => keep(entry)[1])
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(keep)) : value
}

/** Whether some schema at or below this one passes a test. */
export function someSchema(schema: JsonSchema, test: (schema: JsonSchema) => boolean): boolean {
  if (test(schema)) return true
  return Object.entries(schema).some(([keyword, value]) =>
    schemasIn(keyword, value).some(([, one]) => someSchema(one, test)),
  )
}
