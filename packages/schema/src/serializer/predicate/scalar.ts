/** Tests of types, literals, numbers and strings. */
import { code, join, nothing, type Code } from '../../codegen/code.ts'
import type { Reference } from '../../codegen/reference.ts'
import { compilePattern } from '../read/pattern.ts'
import type { PredicateSite, Tests } from './predicate.ts'
import { formatTest, type FormatTest } from '../../runtime/formats.ts'
import { namesOf } from '../read/source.ts'

/** `type`, `enum` and `const`. */
export function typeTests({ schema, value, bind, use }: PredicateSite): Tests {
  const tests: Code[] = []
  const types = namesOf(Array.isArray(schema['type']) ? schema['type'] : [schema['type']])
  if (types.length > 0) {
    const known = types.map((type) => typeTest(type, value, use))
    tests.push(code`(${join(known, code` || `)})`)
  }
  const isOne = (literals: readonly unknown[]): Code => {
    const primitive = literals.every((literal) => literal === null || typeof literal !== 'object')
    if (!primitive || literals.length > 4)
      return code`${use('isOneOf')}(${value}, ${bind({ kind: 'literal', value: literals }, 'literals')})`
    const equal = literals.map((literal) => code`${value} === ${primitiveCode(literal)}`)
    return equal.length === 0 ? code`false` : code`(${join(equal, code` || `)})`
  }
  if (schema['const'] !== undefined) tests.push(isOne([schema['const']]))
  if (Array.isArray(schema['enum'])) tests.push(isOne(schema['enum']))
  return tests
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

function typeTest(type: string, value: Code, use: PredicateSite['use']): Code {
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
      return code`${use('isRecord')}(${value})`
    default:
      return code`false`
  }
}

const COMPARISONS: readonly (readonly [keyword: string, test: (value: Code, limit: number) => Code])[] = [
  ['minimum', (value, limit) => code`${value} >= ${limit}`],
  ['maximum', (value, limit) => code`${value} <= ${limit}`],
  ['exclusiveMinimum', (value, limit) => code`${value} > ${limit}`],
  ['exclusiveMaximum', (value, limit) => code`${value} < ${limit}`],
]

/** Limits of numbers; other values pass. */
export function numberTests({ schema, value, use }: PredicateSite): Tests {
  const tests: Code[] = []
  for (const [keyword, test] of COMPARISONS) {
    const limit = schema[keyword]
    if (typeof limit === 'number') tests.push(test(value, limit))
  }
  const step = schema['multipleOf']
  if (typeof step === 'number') tests.push(code`${use('isMultipleOf')}(${value}, ${step})`)
  if (tests.length === 0) return []
  return [
    code`((typeof ${value} !== 'number' && typeof ${value} !== 'bigint') || (${join(tests, code` && `)}))`,
  ]
}

/** Limits of strings; other values, dates too, pass. */
export function stringTests({ schema, place, value, bind, use }: PredicateSite): Tests {
  const tests: Code[] = []
  const length = code`${use('codePointLength')}(${value})`
  if (typeof schema['minLength'] === 'number') tests.push(code`${length} >= ${schema['minLength']}`)
  if (typeof schema['maxLength'] === 'number') tests.push(code`${length} <= ${schema['maxLength']}`)
  if (typeof schema['pattern'] === 'string') {
    tests.push(
      code`${bind({ kind: 'regexp', value: compilePattern(schema['pattern'], place.pointer) }, 'pattern')}.test(${value})`,
    )
  }
  const format = typeof schema['format'] === 'string' ? formatTest(schema['format']) : undefined
  if (format?.kind === 'string')
    tests.push(code`${bind(formatCall(schema['format'], format), 'format')}${callOf(format)}(${value})`)
  return tests.length === 0 ? [] : [code`(typeof ${value} !== 'string' || (${join(tests, code` && `)}))`]
}

function callOf({ test }: FormatTest): Code {
  return test instanceof RegExp ? code`.test` : nothing
}

function formatCall(name: unknown, { test }: FormatTest): Reference {
  return { kind: 'call', name: 'formatChecker', args: [name], value: test }
}
