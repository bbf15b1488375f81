/** Tests of types, literals, numbers and strings. */
import { code, join, nothing, type Code } from '../../../codegen/code.ts'
import type { JsonType } from '../../../document/json-types.ts'
import type { Comparison, NumberTest, StringTest } from '../../predicate-node.ts'
import type { PredicateContext, Tests } from './predicate.ts'
import { formatChecker } from '../../../runtime/formats.ts'

/** Up to this number of primitives are compared one by one. */
const FEW_LITERALS = 4

/** Whether a value has one of the types. */
export function typeTest(context: PredicateContext, types: readonly JsonType[]): Code {
  if (types.length === 0) return code`false`
  const tests = types.map((type) => isOfType(context, type))
  return code`(${join(tests, code` || `)})`
}

function isOfType({ value, writer }: PredicateContext, type: JsonType): Code {
  switch (type) {
    case 'null':
      return code`${value} === null`
    case 'boolean':
      return code`typeof ${value} === 'boolean'`
    case 'integer':
      return code`Number.isInteger(${value}) || typeof ${value} === 'bigint'`
    case 'number':
      return code`Number.isFinite(${value}) || typeof ${value} === 'bigint'`
    case 'string':
      return code`typeof ${value} === 'string' || ${value} instanceof Date`
    case 'array':
      return code`Array.isArray(${value})`
    case 'object':
      return code`${writer.use('isRecord')}(${value})`
  }
}

/** Whether a value equals one of the literals. */
export function literalsTest({ value, writer }: PredicateContext, literals: readonly unknown[]): Code {
  const primitive = literals.every((literal) => literal === null || typeof literal !== 'object')
  if (!primitive || literals.length > FEW_LITERALS)
    return code`${writer.use('isOneOf')}(${value}, ${writer.bind({ kind: 'literal', value: literals }, 'literals')})`
  const equal = literals.map((literal) => code`${value} === ${primitiveCode(literal)}`)
  return equal.length === 0 ? code`false` : code`(${join(equal, code` || `)})`
}

function primitiveCode(literal: unknown): Code {
  switch (typeof literal) {
    case 'string':
    case 'number':
    case 'boolean':
      return code`${literal}`
    default:
      return code`null`
  }
}

const OPERATORS: Readonly<Record<Comparison, Code>> = {
  minimum: code`>=`,
  maximum: code`<=`,
  exclusiveMinimum: code`>`,
  exclusiveMaximum: code`<`,
}

/** Limits of numbers. */
export function numberTest({ value, writer }: PredicateContext, { limits, multipleOf }: NumberTest): Tests {
  const tests: Code[] = limits.map(([comparison, limit]) => code`${value} ${OPERATORS[comparison]} ${limit}`)
  if (multipleOf !== undefined) tests.push(code`${writer.use('isMultipleOf')}(${value}, ${multipleOf})`)
  return [
    code`((typeof ${value} !== 'number' && typeof ${value} !== 'bigint') || (${join(tests, code` && `)}))`,
  ]
}

/** Limits of strings. */
export function stringTest({ value, writer }: PredicateContext, node: StringTest): Tests {
  const { minLength, maxLength, pattern, format } = node
  const tests: Code[] = []
  const length = (): Code => code`${writer.use('codePointLength')}(${value})`
  if (minLength !== undefined) tests.push(code`${length()} >= ${minLength}`)
  if (maxLength !== undefined) tests.push(code`${length()} <= ${maxLength}`)
  if (pattern !== undefined) {
    tests.push(code`${writer.bind({ kind: 'regexp', value: pattern }, 'pattern')}.test(${value})`)
  }
  if (format !== undefined) {
    const checker = formatChecker(format)
    const call = { kind: 'call', name: 'formatChecker', args: [format], value: checker } as const
    const method = checker instanceof RegExp ? code`.test` : nothing
    tests.push(code`${writer.bind(call, 'format')}${method}(${value})`)
  }
  return [code`(typeof ${value} !== 'string' || (${join(tests, code` && `)}))`]
}
