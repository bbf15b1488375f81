import { isSchemaObject } from '../guards.ts'

/** The type names of JSON Schema. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

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
const NAMES: ReadonlySet<unknown> = new Set(JSON_TYPES)

/** Whether a value is the name of a JSON Schema type. */
export function isJsonType(value: unknown): value is JsonType {
  return NAMES.has(value)
}

/** Whether a value has a type, as Ajv decides it for finite numbers. */
export const TYPE_TESTS: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isSchemaObject,
}

const SINGLE_TYPES: Readonly<Record<JsonType, readonly JsonType[]>> = {
  string: ['string'],
  number: ['number'],
  integer: ['integer'],
  boolean: ['boolean'],
  null: ['null'],
  object: ['object'],
  array: ['array'],
}

/** Returns the types that a schema allows (`type` and `nullable` together); empty if it has neither. */
export function typesOf(schema: Record<string, unknown>): readonly JsonType[] {
  const { type, nullable } = schema
  if (nullable !== true && isJsonType(type)) return SINGLE_TYPES[type]
  const types = (Array.isArray(type) ? type : [type]).filter(isJsonType)
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types
}
