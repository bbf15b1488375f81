import { code, join, type Code } from '../../../codegen/code.ts'
import type { JsonType } from '../../../document/json-types.ts'

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

/** A condition that is true when the value has none of the types; the caller puts it in parentheses. */
export function typeMismatch(types: readonly JsonType[], value: Code): Code {
  const only = types.length === 1 ? types[0] : undefined
  if (only !== undefined) return MISMATCHES[only](value)
  return code`!(${typeTest(types, value)})`
}
