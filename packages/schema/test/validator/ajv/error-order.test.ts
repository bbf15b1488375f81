import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../../src/index.ts'
import { runs } from '../../serializer/arbitraries.ts'

/* All errors of lists and objects, in the order of an Ajv that nothing was changed in. */

type Schema = Readonly<Record<string, unknown>>

const limit = fc.integer({ min: 0, max: 4 })
const { schema, value } = fc.letrec<{ schema: Schema; value: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('integer', 'string', 'array').map((type) => ({ type })),
    fc.constantFrom(1, 'a').map((constant) => ({ const: constant })),
    ofLists(tie('schema')),
    ofLists(tie('schema')),
    ofObjects(tie('schema')),
    fc.record({ not: tie('schema') }),
  ),
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(1, 2, 'a', '1', null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}))

function ofLists(inner: fc.Arbitrary<unknown>): fc.Arbitrary<Schema> {
  const orNot = fc.oneof(fc.boolean(), inner)
  const keywords = {
    contains: inner,
    minContains: limit,
    maxContains: limit,
    uniqueItems: fc.constant(true),
    minItems: limit,
    maxItems: limit,
    unevaluatedItems: orNot,
    allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
  }
  const list = fc.array(inner, { minLength: 1, maxLength: 2 })
  // Ajv takes the type of further items for that of all.
  const forms = fc.oneof(
    fc.record({ items: orNot }, { requiredKeys: [] }),
    fc.record({ prefixItems: list, items: fc.boolean() }, { requiredKeys: ['prefixItems'] }),
  )
  return fc
    .tuple(fc.record(keywords, { requiredKeys: [] }), forms)
    .map(([rules, more]) => ({ ...rules, ...more }))
}

function ofObjects(inner: fc.Arbitrary<unknown>): fc.Arbitrary<Schema> {
  const orNot = fc.oneof(fc.boolean(), inner)
  const properties = fc.dictionary(fc.constantFrom('a', 'b'), inner, { maxKeys: 2 })
  const keywords = {
    properties,
    patternProperties: properties,
    additionalProperties: orNot,
    unevaluatedProperties: orNot,
    required: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
    dependentSchemas: properties,
    dependentRequired: fc.constant({ a: ['b', 'c'] }),
    propertyNames: fc.constant({ maxLength: 0 }),
    minProperties: limit,
    uniqueItems: fc.constant(true),
    if: inner,
    then: inner,
    else: inner,
  }
  return fc.record(keywords, { requiredKeys: [] })
}

const customOptions = {
  strict: false,
  allErrors: true,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
} as const
const DECIDERS = { 'a walk': {}, 'an Ajv of the engine': { onCreate: () => {} } } as const

/** Undefined where Ajv's code fails: it forgets to make the list of what is evaluated. */
function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return undefined
  }
}

/** Ajv takes all items of a list with `contains` for evaluated. */
function isReadOtherwise(rules: string): boolean {
  return rules.includes('"contains"') && rules.includes('"unevaluatedItems"')
}

describe('errors of 2020-12', () => {
  it.each(['a walk', 'an Ajv of the engine'] as const)('have the order of Ajv by %s', (decider) => {
    const ajv = { customOptions, ...DECIDERS[decider] }
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 8, maxLength: 8 }), (rules, values) => {
        fc.pre(decider !== 'a walk' || !isReadOtherwise(JSON.stringify(rules)))
        const engine = createSchemaEngine({ jsonSchemaDialect: '2020-12', ajv })
        const validate = engine.compileValidator({
          schema: rules,
          httpPart: 'body',
          store: engine.createStore(),
        })
        const expected = new Ajv2020({ ...customOptions, meta: false, validateSchema: false }).compile(rules)
        for (const given of values) {
          const isValid = attempt(() => expected(given))
          if (isValid === undefined) continue
          expect([validate(given), validate.errors ?? null]).toEqual([isValid, expected.errors])
        }
      }),
      { numRuns: runs(200) },
    )
  })
})
