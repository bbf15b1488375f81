import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { TYPE_TESTS, type JsonType } from '../../src/document/json-types.ts'
import { REFUSED, type CoercionMode, Coercers } from '../../src/runtime/coerce.ts'

const TYPES: readonly (readonly JsonType[])[] = [
  ['string'],
  ['number'],
  ['integer'],
  ['boolean'],
  ['null'],
  ['array'],
  ['object'],
  ['integer', 'number'],
  ['number', 'integer'],
  ['number', 'string'],
  ['integer', 'null'],
  ['boolean', 'integer'],
  ['integer', 'boolean'],
  ['null', 'boolean'],
  ['string', 'null'],
  ['object', 'null'],
  ['object', 'array'],
  ['array', 'integer'],
  ['boolean', 'array', 'number'],
]

const SCALARS: readonly unknown[] = [
  'text',
  '',
  ' ',
  '0',
  '5',
  '-5.5',
  '1e3',
  'true',
  'false',
  'null',
  'Infinity',
  '-1e999',
  'NaN',
  0,
  1,
  2,
  -1.5,
  true,
  false,
  null,
]
const VALUES = [...SCALARS, ...SCALARS.map((value) => [value]), [], [1, 2], ['5', '5'], {}, [{}], [[5]], [[]]]
const MODES: readonly CoercionMode[] = [false, true, 'array']
const isInfinite = (value: unknown): boolean => value === Infinity || value === -Infinity

/** What Ajv makes of a value; REFUSED where it refuses it. */
function ajvFor(types: readonly JsonType[], coerceTypes: CoercionMode): (value: unknown) => unknown {
  const ajv = new Ajv({ coerceTypes, strict: false })
  const validate = ajv.compile({ properties: { value: { type: types.length === 1 ? types[0] : types } } })
  return (value) => {
    const holder = structuredClone({ value })
    return validate(holder) ? holder.value : REFUSED
  }
}

describe.each(MODES)('with coerceTypes: %s', (mode) => {
  const table = new Coercers(mode)

  it.each(TYPES.map((types) => [types.join(', '), types] as const))(
    'values become what Ajv makes of them: %s',
    (_name, types) => {
      const expected = ajvFor(types, mode)
      const coerce = table.get(types)?.coerce ?? (() => REFUSED)
      const coerceFinite = table.get(types)?.coerceFinite ?? (() => REFUSED)
      const others = VALUES.filter((value) => !types.some((type) => TYPE_TESTS[type](value)))
      const rows = (made: (value: unknown) => unknown) => others.map((value) => [value, made(value)])
      expect(rows(coerce)).toEqual(rows(expected))
      // Infinities are left to the decider.
      const finite = (value: unknown): unknown => (isInfinite(expected(value)) ? REFUSED : expected(value))
      expect(rows(coerceFinite)).toEqual(rows(finite))
    },
  )

  it('a coercer is made once for each list of types, and none where nothing can be coerced', () => {
    expect(table.get(['integer'])).toBe(table.get(['integer']))
    expect(table.get(['integer', 'null'])).toBe(table.get(['integer', 'null']))
    const uncoercible: readonly JsonType[][] = mode === 'array' ? [['object']] : [['object'], ['array']]
    for (const types of uncoercible) {
      expect([table.get(types), table.get(types)]).toEqual([undefined, undefined])
    }
  })
})
