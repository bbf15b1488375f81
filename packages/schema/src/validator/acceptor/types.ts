import { code, join, type Code } from '../../codegen/code.ts'

/** The type names of JSON Schema. */
export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'object' | 'array'

const JSON_TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'object',
  'array',
])

/** True for the name of a JSON Schema type. */
export function isJsonType(value: unknown): value is JsonType {
  return JSON_TYPES.has(value)
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

/** The types a schema admits (`type` and `nullable` together); empty when it does not say. */
export function typesOf(schema: Record<string, unknown>): readonly JsonType[] {
  const { type, nullable } = schema
  if (nullable !== true && isJsonType(type)) return SINGLE_TYPES[type]
  const types = (Array.isArray(type) ? type : [type]).filter(isJsonType)
  return nullable === true && !types.includes('null') ? [...types, 'null'] : types
}

const OR = code` || `

const TYPE_TESTS: Readonly<Record<JsonType, (value: Code) => Code>> = {
  string: (value) => code`typeof ${value} === 'string'`,
  number: (value) => code`typeof ${value} === 'number' && isFinite(${value})`,
  integer: (value) => code`Number.isInteger(${value})`,
  boolean: (value) => code`typeof ${value} === 'boolean'`,
  null: (value) => code`${value} === null`,
  array: (value) => code`Array.isArray(${value})`,
  object: (value) => code`typeof ${value} === 'object' && ${value} !== null && !Array.isArray(${value})`,
}

/** An expression that is true when the value has one of the types. */
export function typeTest(types: readonly JsonType[], value: Code): Code {
  const only = types[0]
  if (only !== undefined && types.length === 1) return TYPE_TESTS[only](value)
  return join(
    types.map((type) => code`(${TYPE_TESTS[type](value)})`),
    OR,
  )
}

const MISMATCHES: Readonly<Record<JsonType, (value: Code) => Code>> = {
  string: (value) => code`typeof ${value} !== 'string'`,
  number: (value) => code`typeof ${value} !== 'number' || !isFinite(${value})`,
  integer: (value) => code`!Number.isInteger(${value})`,
  boolean: (value) => code`typeof ${value} !== 'boolean'`,
  null: (value) => code`${value} !== null`,
  array: (value) => code`!Array.isArray(${value})`,
  object: (value) => code`typeof ${value} !== 'object' || ${value} === null || Array.isArray(${value})`,
}

/** A condition that is true when the value has none of the types; to stand alone between parentheses. */
export function typeMismatch(types: readonly JsonType[], value: Code): Code {
  const only = types.length === 1 ? types[0] : undefined
  if (only !== undefined) return MISMATCHES[only](value)
  return code`!(${typeTest(types, value)})`
}
