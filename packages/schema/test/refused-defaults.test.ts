import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSchemaEngine } from '../src/index.ts'
import { findRefusedDefaults } from '../src/internal.ts'

const small = fc.constantFrom<unknown>(
  '',
  'a',
  'abc',
  '5',
  'true',
  0,
  1,
  5,
  2.5,
  -1,
  true,
  false,
  null,
  [],
  ['5'],
  [1, 'a'],
  {},
  { a: 'x' },
)
const limit = fc.integer({ min: 0, max: 5 })
const single = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object')

const { schema: schemas } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .record(
        {
          type: fc.oneof(single, fc.uniqueArray(single, { minLength: 1, maxLength: 2 })),
          enum: fc.uniqueArray(small, { minLength: 1, maxLength: 3 }),
          const: small,
          minimum: limit,
          exclusiveMaximum: limit,
          minLength: limit,
          maxLength: limit,
          minItems: limit,
          maxItems: limit,
        },
        { requiredKeys: [] },
      )
      .map((one) => ({ ...one })),
    fc.record({ items: tie('schema'), type: fc.constant('array') }),
    fc.record({ type: fc.constant('object'), properties: fc.record({ a: tie('schema') }) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.constant({ $ref: '#/definitions/count' }),
  ),
}))

it.each(['array', true, false] as const)(
  'a default that is found refuses each request without the value (coercion: %s)',
  (coerceTypes) => {
    let found = 0
    fc.assert(
      fc.property(schemas, small, (schema, fallback) => {
        const part = {
          type: 'object',
          definitions: { count: { type: 'integer', maximum: 3 } },
          properties: { a: { allOf: [schema], default: fallback } },
        }
        const places = findRefusedDefaults(part, coerceTypes)
        if (places.length === 0) return
        found++
        expect(places).toEqual(['/properties/a/default'])
        const engine = createSchemaEngine({ ajv: { customOptions: { coerceTypes, strictTypes: false } } })
        const store = engine.createStore()
        const validate = engine.compileValidator({ schema: part, httpPart: 'querystring', store })
        expect(validate({})).toBe(false)
      }),
      { numRuns: 2000 },
    )
    expect(found).toBeGreaterThan(100)
  },
)

it.each<[string, object, readonly string[]]>([
  ['a word for an integer', { a: { type: 'integer', default: 'x' } }, ['/properties/a/default']],
  [
    'a number outside of its limits',
    { a: { type: 'integer', minimum: 1, default: 0 } },
    ['/properties/a/default'],
  ],
  ['a value that is coerced', { a: { type: 'integer', default: '5' } }, []],
  [
    'a value that becomes null',
    { a: { type: 'null', default: '' }, b: { type: ['integer', 'null'], default: '' } },
    [],
  ],
  [
    'a value of a nested object',
    { 'a/b': { properties: { c: { enum: [1], default: 2 } } } },
    ['/properties/a~1b/properties/c/default'],
  ],
])('finds %s', (_, properties, places) => {
  expect(findRefusedDefaults({ type: 'object', properties }, 'array')).toEqual(places)
})
