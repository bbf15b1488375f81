import { TYPE_TESTS, typesOf, type JsonType } from '../document/json-types.ts'
import { createCoercer, REFUSED } from '../runtime/coerce.ts'
import { PASSED, type Check } from './frame.ts'
import type { SchemaNode } from './node.ts'
import { reportedTypes } from './reported-types.ts'

type Test = (data: unknown) => boolean

/** The tests that let infinities pass. Ajv takes an infinity for an integer. */
const WITH_INFINITIES: Partial<Readonly<Record<JsonType, Test>>> = {
  number: (data) => typeof data === 'number',
  integer: (data) => Number.isInteger(data) || data === Infinity || data === -Infinity,
}

/** Whether a value is of a type. Infinities are numbers only where the options say so. */
export function testOf(type: JsonType, finiteNumbers: boolean): Test {
  return (finiteNumbers ? undefined : WITH_INFINITIES[type]) ?? TYPE_TESTS[type]
}

/** Reports a value of a wrong type. */
export function mismatchCheck(node: SchemaNode): Check {
  const rule = { keyword: 'type', node } as const
  const type = reportedTypes(node.schema)
  return (value, mode, frame) => frame.fail(rule, { type }, value, mode)
}

/** Checks the type of a value, and coerces it where it has another. */
export function typeCheck(node: SchemaNode, types: readonly JsonType[]): Check {
  const { finiteNumbers, coercion } = node.unit.settings
  const fits = anyOf(types.map((type) => testOf(type, finiteNumbers)))
  const coerce = createCoercer(types, coercion)
  const mismatch = mismatchCheck(node)
  if (coerce === undefined) {
    return (value, mode, frame) => (fits(value.data) ? PASSED : mismatch(value, mode, frame))
  }
  const unwraps = coercion === 'array'
  return (value, mode, frame) => {
    const { data } = value
    if (fits(data)) return PASSED
    if (value.isName) return mismatch(value, mode, frame)
    const coerced = coerce(data)
    if (coerced !== REFUSED) {
      value.replace(coerced)
      return PASSED
    }
    // Ajv goes on with the only item of an array once it has looked at it.
    if (unwraps && Array.isArray(data) && data.length === 1) value.data = data[0]
    return mismatch(value, mode, frame)
  }
}

/** Refuses the infinity that a coercion has made of a text; Ajv gets this check as a keyword, behind all general ones. */
export function finiteCheck(node: SchemaNode): Check | undefined {
  const { finiteNumbers, coercion } = node.unit.settings
  const types = typesOf(node.schema)
  if (coercion === false || !finiteNumbers || !(types.includes('number') || types.includes('integer'))) {
    return undefined
  }
  const mismatch = mismatchCheck(node)
  return (value, mode, frame) =>
    typeof value.data === 'number' && !Number.isFinite(value.data) ? mismatch(value, mode, frame) : PASSED
}

/** Whether one of several tests holds; true for none. */
export function anyOf(tests: readonly Test[]): Test {
  const [first, second] = tests
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (tests.length === 2) return (data) => first(data) || second(data)
  return (data) => tests.some((test) => test(data))
}
