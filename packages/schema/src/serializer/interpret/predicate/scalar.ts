/** Tests of types, literals, numbers and strings. */
import type { JsonType } from '../../../document/json-types.ts'
import { formatChecker } from '../../../runtime/formats.ts'
import { codePointLength } from '../../../runtime/length.ts'
import { isOneOf } from '../../../runtime/literals.ts'
import { isMultipleOf, isRecord } from '../../../runtime/measures.ts'
import type { Comparison, NumberTest, StringTest } from '../../predicate-node.ts'
import type { Test } from './predicate.ts'

const TYPE_TESTS: Readonly<Record<JsonType, Test>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value) || typeof value === 'bigint',
  number: (value) => Number.isFinite(value) || typeof value === 'bigint',
  string: (value) => typeof value === 'string' || value instanceof Date,
  array: (value) => Array.isArray(value),
  object: isRecord,
}

/** Whether a value has one of the types. */
export function typeTest(types: readonly JsonType[]): Test {
  const tests = types.map((type) => TYPE_TESTS[type])
  const [only] = tests
  if (only !== undefined && tests.length === 1) return only
  return (value) => tests.some((test) => test(value))
}

/** Whether a value equals one of the literals. */
export function literalsTest(literals: readonly unknown[]): Test {
  const [only] = literals
  if (literals.length === 1 && (typeof only !== 'object' || only === null)) return (value) => value === only
  return (value) => isOneOf(value, literals)
}

type Limit = (value: number | bigint, limit: number) => boolean

const COMPARISONS: Readonly<Record<Comparison, Limit>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
}

/** Limits of numbers. */
export function numberTest({ limits, multipleOf }: NumberTest): Test {
  const tests = limits.map(([comparison, limit]) => ({ passes: COMPARISONS[comparison], limit }))
  return (value) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return true
    for (const { passes, limit } of tests) if (!passes(value, limit)) return false
    return multipleOf === undefined || isMultipleOf(value, multipleOf)
  }
}

/** Limits of strings. */
export function stringTest({ minLength = 0, maxLength = Infinity, pattern, format }: StringTest): Test {
  const isCounted = minLength > 0 || maxLength < Infinity
  const hasFormat = format === undefined ? undefined : formatTest(format)
  return (value) => {
    if (typeof value !== 'string') return true
    if (isCounted) {
      const length = codePointLength(value)
      if (length < minLength || length > maxLength) return false
    }
    if (pattern !== undefined && !pattern.test(value)) return false
    return hasFormat === undefined || hasFormat(value)
  }
}

function formatTest(name: string): Test {
  const checker: unknown = formatChecker(name)
  if (checker instanceof RegExp) return (value) => checker.test(String(value))
  if (isTest(checker)) return checker
  throw new TypeError(`the format "${name}" has no test`)
}

function isTest(checker: unknown): checker is Test {
  return typeof checker === 'function'
}
