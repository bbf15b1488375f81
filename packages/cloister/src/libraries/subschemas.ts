import { isRecord } from '../guards.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Keywords with one schema or a list of schemas. */
const PLAIN: ReadonlySet<string> = new Set(
  'items additionalItems additionalProperties propertyNames not allOf anyOf oneOf prefixItems'.split(' '),
)
/** Keywords with schemas by name. */
const NAMED: ReadonlySet<string> = new Set('properties patternProperties definitions $defs'.split(' '))

/** Returns whether a keyword contains schemas. */
export function holdsSchemas(keyword: string): boolean {
  return PLAIN.has(keyword) || NAMED.has(keyword)
}

/** Returns the schemas directly below a keyword, each with its key. Boolean schemas are omitted. */
export function schemasIn(keyword: string, value: unknown): (readonly [key: string | null, JsonSchema])[] {
  if (!holdsSchemas(keyword)) return []
  if (typeof value !== 'object' || value === null) return []
  const isOne = PLAIN.has(keyword) && !Array.isArray(value)
  const entries: [string | null, unknown][] = isOne ? [[null, value]] : Object.entries(value)
  return entries.flatMap(([key, one]) => (isRecord(one) ? [[key, one] as const] : []))
}

/** Returns the value of a keyword with a function applied to each schema directly below it. */
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

/** Returns whether this schema or one below it passes a test. */
export function someSchema(schema: JsonSchema, test: (schema: JsonSchema) => boolean): boolean {
  if (test(schema)) return true
  return Object.entries(schema).some(([keyword, value]) =>
    schemasIn(keyword, value).some(([, one]) => someSchema(one, test)),
  )
}
