import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SerializeError, createSerializer } from '../../src/serializer/index.ts'
import { runs } from './arbitraries.ts'

/* Ajv says which branches a text fits; each branch writes a property of its own. */

type Schema = Readonly<Record<string, unknown>>

const letter = fc.constantFrom('a', '1', 'é', '😀', '𝒳', '\ud800', '\udc00')
const text = fc.array(letter, { maxLength: 5 }).map((letters) => letters.join(''))
const limit = fc.integer({ min: 0, max: 5 })
const pattern = fc.constantFrom(
  '^.$',
  '^..?$',
  '.{3}',
  '^[😀a]*$',
  '^[^a]+$',
  '\\ud83d',
  '\\p{L}',
  '^\\S{2}$',
)

const assertions = fc.record({ minLength: limit, maxLength: limit, pattern }, { requiredKeys: [] })
const scalar = fc.oneof(
  assertions.map((keywords): Schema => ({ type: 'string', ...keywords })),
  assertions.map((keywords): Schema => ({ type: ['string', 'null'], ...keywords })),
  fc.uniqueArray(text, { minLength: 1, maxLength: 3 }).map((values): Schema => ({ enum: values })),
  fc.tuple(text, limit).map(([value, maxLength]): Schema => ({ const: value, maxLength })),
)
const { schema } = fc.letrec<{ schema: Schema }>((tie) => {
  const inner = tie('schema')
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.record({ not: inner }),
      fc.record({ type: fc.constant('array'), items: inner }),
      fc.record({ contains: inner }),
      fc.record({ properties: fc.record({ t: inner }) }),
      fc.record({ propertyNames: inner }),
      fc.record({ patternProperties: fc.dictionary(pattern, inner, { maxKeys: 2 }) }),
      fc.record({ if: inner, then: inner, else: inner }),
      fc.oneof(fc.record({ anyOf: list }), fc.record({ oneOf: list }), fc.record({ allOf: list })),
    ),
  }
})
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record({ t: tie('value') }),
    fc.dictionary(text, tie('value'), { maxKeys: 2 }),
  ),
}))

const ajv = new Ajv({ strict: false, logger: false })
const NAMES = ['a', 'b', 'c']

describe.each(['concat', 'project', 'text', 'copy'] as const)('the %s back end', (backEnd) => {
  /** The property that is written of a value. */
  function written(schema: Schema, given: unknown): string | undefined {
    const serialize = createSerializer(schema, { backEnd })
    try {
      const result: unknown = JSON.parse(serialize({ v: given, a: 1, b: 1, c: 1 }))
      return NAMES.find((name) => Object.hasOwn(Object(result), name))
    } catch (error) {
      expect(error).toBeInstanceOf(SerializeError)
      return undefined
    }
  }
  const writes = (name: string, more: Schema = {}): Schema => ({
    type: 'object',
    properties: { [name]: {}, ...more },
  })

  it('takes the outcome of a condition that Ajv takes', () => {
    fc.assert(
      fc.property(schema, value, (test, given) => {
        const condition = { if: { properties: { v: test } }, then: writes('a'), else: writes('b') }
        expect(written(condition, given)).toBe(ajv.validate(test, given) ? 'a' : 'b')
      }),
      { numRuns: runs(250) },
    )
  })

  it('takes the first branch of a union that Ajv takes', () => {
    // A constant is what branches are told apart by: other keywords beside it are not asked.
    const branch = assertions.map((keywords): Schema => ({ type: 'string', ...keywords }))
    const branches = fc.tuple(branch, branch, branch)
    fc.assert(
      fc.property(branches, fc.constantFrom('anyOf', 'oneOf'), text, (tests, union, given) => {
        const found = tests.findIndex((test) => ajv.validate(test, given))
        const schemas = tests.map((test, at) => writes(NAMES[at] ?? '', { v: test }))
        expect(written({ [union]: schemas }, given)).toBe(NAMES[found])
        expect(written(writes('a', { v: { [union]: tests } }), given)).toBe(found === -1 ? undefined : 'a')
      }),
      { numRuns: runs(250) },
    )
  })
})
