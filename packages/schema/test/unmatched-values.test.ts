import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSchemaEngine } from '../src/index.ts'
import { findUnmatchedValues } from '../src/internal.ts'

it.each<[string, object, readonly string[]]>([
  ['an enum of numbers', { properties: { a: { enum: [1, 2] } } }, ['/properties/a/enum']],
  ['a const', { properties: { a: { const: true } } }, ['/properties/a/const']],
  [
    'one in a list',
    { properties: { a: { type: 'array', items: { enum: [1] } } } },
    ['/properties/a/items/enum'],
  ],
  [
    'a union of them',
    { properties: { a: { anyOf: [{ const: 1 }, { const: 2 }] } } },
    ['/properties/a/anyOf/0/const', '/properties/a/anyOf/1/const'],
  ],
  ['one of all names', { additionalProperties: { enum: [null] } }, ['/additionalProperties/enum']],
  [
    'one in allOf',
    { allOf: [{ patternProperties: { '^x/': { enum: [1] } } }] },
    ['/allOf/0/patternProperties/^x~1/enum'],
  ],
])('values that no text matches are found: %s', (_what, schema, found) => {
  expect(findUnmatchedValues(schema)).toEqual(found)
})

it.each<[string, object]>([
  ['with a type', { properties: { a: { type: 'integer', enum: [1, 2] } } }],
  ['with a text among them', { properties: { a: { enum: [1, 'all'] } } }],
  ['in a union with another branch', { properties: { a: { anyOf: [{ const: 1 }, { type: 'string' }] } } }],
  ['beside a reference', { properties: { a: { $ref: '#/definitions/a', enum: [1] } } }],
  ['in a schema that is true', { properties: { a: true }, additionalProperties: false }],
])('values that may match are not found: %s', (_what, schema) => {
  expect(findUnmatchedValues(schema)).toEqual([])
})

it('no text that is drawn matches a value that is found', () => {
  const literal = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom('1', 'true', 'a'))
  const value = fc.oneof(
    fc.array(literal, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: [...new Set(values)] })),
    literal.map((one) => ({ const: one })),
    fc
      .array(literal, { minLength: 1, maxLength: 3 })
      .map((all) => ({ anyOf: all.map((one) => ({ const: one })) })),
  )
  fc.assert(
    fc.property(value, fc.oneof(literal.map(String), fc.string()), (a, text) => {
      const schema = { type: 'object', properties: { a } }
      if (findUnmatchedValues(schema).length === 0) return
      const engine = createSchemaEngine()
      const validate = engine.compileValidator({
        schema,
        httpPart: 'querystring',
        store: engine.createStore(),
      })
      expect(validate({ a: text })).toBe(false)
    }),
  )
})
