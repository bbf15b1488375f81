import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { leafOf } from '../../src/keywords/reading.ts'
import { fitsLeaf, TEST, type TestKind } from '../../src/walk/leaf.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const array = { type: 'array' }

/** Schemas, and how their values are tested. */
const LEAVES: readonly (readonly [schema: object, kind: keyof typeof TEST, inner?: keyof typeof TEST])[] = [
  [{}, 'any'],
  [{ title: 'any' }, 'any'],
  [text, 'string'],
  [{ ...text, description: 'a text' }, 'string'],
  [{ ...text, minLength: 2 }, 'length'],
  [{ ...text, maxLength: 2 }, 'length'],
  [{ ...text, minLength: 2, maxLength: 4 }, 'length'],
  [{ ...text, pattern: '^a' }, 'text'],
  [{ ...text, minLength: 2, pattern: '^a' }, 'text'],
  [{ ...text, pattern: '^a', maxLength: 2 }, 'text'],
  [{ ...text, format: 'date', pattern: '^2' }, 'text'],
  [{ ...text, format: 'int32' }, 'call'],
  [{ ...text, format: 'of-another' }, 'call'],
  [{ ...text, enum: ['a', 'b', 1] }, 'literals'],
  [{ ...text, const: 'a' }, 'literals'],
  [{ ...text, minLength: 2, enum: ['a', 'aa'] }, 'literals'],
  [{ ...text, enum: ['a', 'aa'], minLength: 2 }, 'call'],
  [{ ...text, enum: ['a', 'aa'], pattern: 'aa' }, 'call'],
  [{ type: ['string', 'null'] }, 'nullable', 'string'],
  [{ ...text, nullable: true }, 'nullable', 'string'],
  [{ type: ['null', 'string'], maxLength: 2 }, 'nullable', 'length'],
  [{ type: ['string', 'null'], pattern: '^a' }, 'nullable', 'text'],
  [{ type: ['string', 'null'], enum: ['a', null] }, 'call'],
  [{ type: ['integer', 'null'], minimum: 2 }, 'nullable', 'integerRange'],
  [{ type: ['array', 'null'], minItems: 1 }, 'nullable', 'list'],
  [{ type: ['string', 'integer'] }, 'call'],
  [{ type: ['string', 'integer', 'null'] }, 'call'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'null' }, 'call'],
  [{ type: 'object' }, 'call'],
  [integer, 'integer'],
  [{ ...integer, minimum: 2 }, 'integerRange'],
  [{ ...integer, maximum: 2 }, 'integerRange'],
  [{ ...integer, minimum: 2, maximum: 4 }, 'integerRange'],
  [{ ...integer, exclusiveMinimum: 2 }, 'call'],
  [{ ...integer, exclusiveMaximum: 2 }, 'call'],
  [{ ...integer, multipleOf: 2 }, 'call'],
  [{ ...integer, format: 'int32' }, 'call'],
  [{ ...integer, minLength: 2 }, 'call'],
  [{ type: 'number' }, 'number'],
  [{ type: 'number', minimum: 2, maximum: 2.5 }, 'numberRange'],
  [{ ...text, minimum: 2 }, 'call'],
  [{ ...text, minItems: 2 }, 'call'],
  [{ minimum: 2 }, 'call'],
  [{ minLength: 2 }, 'call'],
  [{ pattern: 'a' }, 'call'],
  [{ format: 'date' }, 'call'],
  [{ minItems: 2 }, 'call'],
  [array, 'list'],
  [{ ...array, minItems: 1, maxItems: 2 }, 'list'],
  [{ ...array, minProperties: 1 }, 'call'],
  [{ ...array, uniqueItems: true }, 'call'],
  [{ ...array, items: text }, 'list'],
  [{ ...array, items: {} }, 'list'],
  [{ ...array, items: { ...text, maxLength: 2 }, maxItems: 2 }, 'list'],
  [{ ...array, items: { type: ['integer', 'null'] } }, 'list'],
  [{ ...array, items: { type: 'object' } }, 'call'],
  [{ ...array, items: false }, 'call'],
  [{ ...array, items: { ...array, items: text } }, 'call'],
  [{ ...array, items: { type: ['array', 'null'] } }, 'call'],
  [{ ...text, not: {} }, 'call'],
  // No keyword has such values.
  [{ ...text, pattern: 5 }, 'call'],
  [{ ...text, maxLength: '2' }, 'call'],
  [{ ...integer, minimum: '2' }, 'call'],
  [{ ...array, maxItems: '2' }, 'call'],
  [{ ...text, format: ['date'] }, 'call'],
  [{ $ref: '#/definitions/a', definitions: { a: text } }, 'call'],
]

const SCALARS = [
  '',
  'a',
  'b',
  'aa',
  'abc',
  'aaaa',
  'aaaaa',
  '😀',
  'a😀',
  '😀😀😀',
  'aa\ud800',
  '2024-02-29',
  '2024-02-30',
]
const NUMBERS = [0, 1, 2, 2.25, 2.5, 3, 4, 5, -1, 2 ** 31]
const VALUES = [
  ...SCALARS,
  ...NUMBERS,
  true,
  false,
  null,
  {},
  [],
  ['a'],
  ['a', 'aa'],
  [1],
  [1, null, 3],
  ['abc'],
  [[]],
]

const nameOf = (kind: TestKind): string | undefined =>
  Object.entries(TEST).find(([, number]) => number === kind)?.[0]

describe('the leaf of a schema', () => {
  it.each(LEAVES)('%j is tested as %s %s', (schema, kind, inner = 'call') => {
    const leaf = leafOf(schema)
    expect([nameOf(leaf.kind), nameOf(leaf.inner)]).toEqual([kind, inner])
  })

  const whole = LEAVES.filter(([, kind]) => kind !== 'call').map(([schema]) => schema)

  it.each(whole)('%j has the verdicts of Ajv', (schema) => {
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)
    const validate = ajv.compile(schema)
    const leaf = leafOf(schema)
    for (const value of VALUES) {
      expect([value, fitsLeaf(leaf.kind, leaf, value)]).toEqual([value, validate(value)])
    }
  })
})
