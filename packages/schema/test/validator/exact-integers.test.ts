// Integers that no number represents, by every way a value is validated.
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type SchemaEngineOptions } from '../../src/index.ts'
import { isExactText } from '../../src/runtime/exact-text.ts'

const INTEGER = { type: 'integer' }
/** Schemas of one value, each with values around those that are refused. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'an integer': INTEGER,
  'an integer with limits': { type: 'integer', minimum: -1e300, maximum: 1e300 },
  'a nullable integer': { type: 'integer', nullable: true },
  'an integer or null': { type: ['integer', 'null'] },
  'an integer or a text with a pattern': { type: ['integer', 'boolean'] },
  'an integer in a union': { anyOf: [INTEGER, { type: 'boolean' }] },
  'an integer by reference': { $ref: '#/definitions/integer' },
}

const WAYS: Readonly<Record<string, SchemaEngineOptions>> = {
  code: { codeGeneration: 'always' },
  closures: { codeGeneration: 'never' },
  Ajv: { ajv: { onCreate: () => {} } },
  'all errors': { ajv: { customOptions: { allErrors: true } } },
}

/** The numbers that the literals `9007199254740993`, `12345678901234567890` and `-0` are read as. */
const INEXACT = [2 ** 53, -(2 ** 53), Number('12345678901234567890'), -0, 1e300]
const EXACT = [0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
const INEXACT_TEXTS = [
  '9007199254740993',
  '-9007199254740992',
  '1e400',
  '-0',
  '1e-400',
  '0.99999999999999999999',
]
const EXACT_TEXTS = ['9007199254740991', '5', '1e5', '10e-1', '-7.000', '000000000000000000012', '0e-400']

/** Returns a check of data: true, or the pointer of the first error. */
function create(schema: object, options: SchemaEngineOptions): (data: unknown) => unknown {
  const engine = createSchemaEngine({ integers: 'exact', ...options })
  const check = engine.compileValidator({
    schema: {
      type: 'object',
      definitions: { integer: INTEGER },
      properties: { a: schema, list: { type: 'array', items: schema } },
    },
    httpPart: 'body',
    store: engine.createStore(),
  })
  return (data) => check(data) === true || check.errors?.[0]?.instancePath
}

const OTHERS = { 'a text': { type: 'string' }, 'an integer or a text': { type: ['integer', 'string'] } }

it.each(Object.entries(OTHERS))('numbers that are not exact do not become %s', (_, schema) => {
  for (const options of [{ codeGeneration: 'always' }, { codeGeneration: 'never' }] as const) {
    const check = create(schema, options)
    for (const value of INEXACT) expect([value, check({ a: value })]).toEqual([value, '/a'])
    for (const value of [7, 1.5]) expect(create({ type: 'string' }, options)({ a: value })).toBe(true)
  }
})

describe.each(Object.entries(WAYS))('exact integers, by %s', (way, options) => {
  it.each(Object.entries(SCHEMAS))(
    'refuse numbers of %s that another one may have been sent for',
    (_, schema) => {
      const check = create(schema, options)
      // Only Ajv coerces 0 to null and false.
      const hasOthers = way === 'Ajv' && /null|boolean/.test(JSON.stringify(schema))
      for (const value of INEXACT.filter((one) => one !== 0 || !hasOthers)) {
        expect([value, check({ a: value })]).toEqual([value, '/a'])
        expect([value, check({ list: [1, value] })]).toEqual([value, '/list/1'])
      }
      for (const value of EXACT) expect([value, check({ a: value, list: [value] })]).toEqual([value, true])
    },
  )

  it.each(Object.entries(SCHEMAS))('refuse texts for %s', (_, schema) => {
    const check = create(schema, options)
    const texts =
      way === 'Ajv' ? INEXACT_TEXTS.filter((text) => !/^(?:1e-|0\.|-0)/.test(text)) : INEXACT_TEXTS
    for (const text of texts) expect([text, check({ a: text })]).toEqual([text, '/a'])
    for (const text of EXACT_TEXTS) expect([text, check({ a: text })]).toEqual([text, true])
  })

  it.each([
    { enum: [0, 1, 2 ** 53] },
    { enum: [0, ...Array.from({ length: 20 }, (_, index) => 2 ** (40 + index))] },
    { enum: [0, null], nullable: true },
    { minimum: 0, enum: [0, 2 ** 53] },
    { const: 0 },
    { const: -0 },
  ])('refuse -0 and unsafe integers also if the schema lists their value: %j', (limits) => {
    const check = create({ type: 'integer', ...limits }, options)
    for (const value of [-0, 2 ** 53]) {
      expect([value, check({ a: value })]).toEqual([value, '/a'])
      expect([value, check({ list: [value] })]).toEqual([value, '/list/0'])
    }
    expect(check({ a: 0, list: [0] })).toBe(true)
  })

  it('leave numbers alone where the schema does not ask for integers', () => {
    for (const schema of [{ type: 'number' }, { type: ['integer', 'number'] }, {}]) {
      const check = create(schema, options)
      for (const value of INEXACT) expect([value, check({ a: value })]).toEqual([value, true])
    }
  })
})

it('the message says why', () => {
  const engine = createSchemaEngine({ integers: 'exact' })
  const check = engine.compileValidator({ schema: INTEGER, httpPart: 'body', store: engine.createStore() })
  for (const value of [2 ** 53, '9007199254740993']) {
    expect(check(value)).toBe(false)
    const message = expect.stringContaining('exactly representable')
    expect(check.errors).toMatchObject([
      { keyword: 'type', params: { type: 'integer', exact: false }, message },
    ])
  }
  expect(check('x')).toBe(false)
  expect(check.errors).toMatchObject([{ message: 'must be integer', params: { type: 'integer' } }])
})

it('texts of decimals are compared with their digits', () => {
  for (const text of ['1', ' 12 ', '1.0', '1.50e1', '0x10', '0', '0.0e5', '.0', '5.', '123456789012345.60e1'])
    expect([text, isExactText(text)]).toEqual([text, true])
  for (const text of [
    '1e-1',
    '0.99999999999999999999',
    '1.5000000000000001e0',
    '10e-2',
    '9007199254740990.4',
  ])
    expect([text, isExactText(text)]).toEqual([text, false])
})
