import { isSchemaObject } from '../guards.ts'

/** The type names of JSON Schema. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

/** A type that validators test: with exact integers, `safeInteger` is in the place of `integer`. */
export type TestedType = JsonType | 'safeInteger'

/** All type names. */
export const JSON_TYPES: readonly JsonType[] = [
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]
/** The list of each type alone. */
const SINGLE_TYPES: ReadonlyMap<unknown, readonly JsonType[]> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ JSON_TYPES.map((type) => [type, [type]]),
)

/** Whether a value is the name of a JSON Schema type. */
export function isJsonType(value: unknown): value is JsonType {
  return SINGLE_TYPES.has(value)
}

/**
 * Whether a value is surely the integer of its literal. A literal beyond 2^53 - 1 that has no number of its own is read
 * as another one beyond it, so every inexact integer is an unsafe one. No integer is -0.
 */
export function isExactInteger(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value !== 0 || !Object.is(value, -0))
}

/** Whether a value has a type, as Ajv decides it for finite numbers. */
export const TYPE_TESTS: Readonly<Record<TestedType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  safeInteger: isExactInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isSchemaObject,
}

/** Returns the types that a schema allows (`type` and `nullable` together); empty if it has neither. */
export function typesOf(schema: Readonly<Record<string, unknown>>): readonly JsonType[] {
  const { type, nullable } = schema
  const single = nullable === true ? undefined : SINGLE_TYPES.get(type)
  if (single !== undefined) return single
  const types = (Array.isArray(type) ? type : [type]).filter(isJsonType)
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types
}

/** Returns the types of the items of a list, if they are scalars by their schema. */
export function scalarItemTypes({
  items,
  prefixItems,
}: Readonly<Record<string, unknown>>): readonly JsonType[] | undefined {
  const types = isSchemaObject(items) && prefixItems === undefined ? typesOf(items) : []
  return types.length > 0 && !types.includes('object') && !types.includes('array') ? types : undefined
}

/** Which integers must be exact: none, all, or all but those with `format: 'int64'`, which the caller reads itself. */
export type ExactIntegers = boolean | 'notInt64'

/** Whether a schema is one of 64-bit integers. */
export function isInt64(schema: Readonly<Record<string, unknown>>): boolean {
  return schema['format'] === 'int64' && typesOf(schema).includes('integer')
}

/** Whether a number for the type `integer` of a schema must be exact. */
export function asksExact(schema: Readonly<Record<string, unknown>>, exact: ExactIntegers): boolean {
  return exact === true || (exact === 'notInt64' && !isInt64(schema))
}

/** Returns the types that validators test with exact integers. */
export function withSafeIntegers(types: readonly JsonType[]): readonly TestedType[] {
  return types.includes('integer') && !types.includes('number')
    ? types.map((type) => (type === 'integer' ? 'safeInteger' : type))
    : types
}
