import { describe, expect, it } from 'vitest'
import { metaSchemaOf } from '../../src/document/dialect.ts'
import type { Accept } from '../../src/validator/decider.ts'
import { bothBackEnds } from './both-back-ends.ts'
import { CASES, LATER_CASES, outcome, valuesOf } from './cases.ts'

describe.each(Object.entries({ ...CASES, ...LATER_CASES }))(
  'looks and code accept the same values: %s',
  (_group, cases) => {
    it.each(cases.map((one) => [JSON.stringify(one[0]), one] as const))('%s', (_name, one) => {
      const [[, code], [, look]] = bothBackEnds(one[0])
      let accepted = 0
      for (const value of valuesOf(one)) {
        const [fits, data] = outcome(look, value)
        expect([value, fits, data]).toEqual([value, ...outcome(code, value)])
        if (fits) accepted += 1
        else expect(data).toEqual(value)
      }
      expect(accepted).toBeGreaterThan(0)
    })
  },
)

describe.each([
  ['code', 0],
  ['looks', 1],
])('one value and the next, as %s', (_backEnd, at) => {
  const compile = (): Accept => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' }, list: { default: { of: [] } } },
    }
    const [, accept] = bothBackEnds(schema)[at] ?? []
    if (accept === undefined) throw new Error('there are two back ends')
    return accept
  }

  it('have nothing in common: what was made of the one is not made again', () => {
    const accept = compile()
    const first: Record<string, unknown> = { n: '1' }
    expect(accept(first)).toBe(true)
    first['n'] = 'changed by a handler'
    const second = { n: '2' }
    expect([accept(second), accept({ n: 'x' }), accept({ n: 3 })]).toEqual([true, false, true])
    expect([first['n'], second.n]).toEqual(['changed by a handler', 2])
  })

  it('get defaults of their own', () => {
    const accept = compile()
    const [first, second]: { list?: { of: unknown[] } }[] = [{}, {}]
    expect(accept(first)).toBe(true)
    first?.list?.of.push('from a handler')
    expect(accept(second)).toBe(true)
    expect(second).toEqual({ list: { of: [] } })
  })
})

it('a whole value is coerced without a holder, and nothing is left to change', () => {
  for (const [, accept] of bothBackEnds({ type: 'integer' }))
    expect([accept('5'), accept('x'), accept(5)]).toEqual([true, false, true])
})

it('looks remember few sequences of keys, whatever clients send', () => {
  const [, [, accept]] = bothBackEnds({ type: 'object', properties: { n: { type: 'integer' } } })
  for (let at = 0; at < 300; at++) expect(accept({ [`k${at}`]: 1 })).toBe(true)
  let reads = 0
  const value = {
    get unknown() {
      reads += 1
      return 1
    },
  }
  expect([accept(value), reads]).toEqual([true, 0])
})

it('looks and code accept a text of many characters, and one of few, for as long as it may be', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', minLength: 2, maxLength: 3 } } }
  for (const [, accept] of bothBackEnds(schema)) {
    const fitting = ['ab', 'abc', '😀😀', '😀😀😀', 'a'].map((a) => accept({ a }))
    expect(fitting).toEqual([true, true, true, true, false])
  }
})

it.each(['looks', 'code'])('%s read a property once, whatever keywords are about it', (backEnd) => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer', minimum: 1 }, b: { type: 'string' }, c: {} },
    required: ['a', 'b'],
    additionalProperties: false,
  }
  const [code, looks] = bothBackEnds(schema)
  const reads: string[] = []
  const value = new Proxy(
    { a: 1, b: 'x' },
    {
      get(target, key) {
        if (key !== 'constructor') reads.push(String(key))
        return Reflect.get(target, key)
      },
    },
  )
  expect((backEnd === 'code' ? code : looks)[1](value)).toBe(true)
  expect(reads.filter((key) => key !== 'c')).toEqual(['a', 'b'])
})

it.each([
  ['anyOf', '2020-12', true, false],
  ['anyOf', '2020-12', false, true],
  ['anyOf', 'draft-07', true, true],
  ['oneOf', '2020-12', true, true],
] as const)(
  'looks and code leave %s of %s to Ajv, which edits a value in every branch, where it decides (%s)',
  (keyword, dialect, isForAjv, accepted) => {
    const schema = {
      $schema: metaSchemaOf(dialect),
      [keyword]: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    }
    for (const [, accept] of bothBackEnds(schema, isForAjv)) expect(accept({ b: 1 })).toBe(accepted)
  },
)

describe('a union whose branches one property names', () => {
  const branch = (kind: unknown, more: object = {}): object => ({
    type: 'object',
    required: ['kind'],
    properties: { kind, n: { type: 'integer' } },
    ...more,
  })
  const list = (length: number, make: (index: number) => unknown): unknown[] =>
    Array.from({ length }, (_, index) => make(index))
  const DEFINITIONS = Object.fromEntries(
    list(30, (index) => [`d${String(index)}`, branch({ const: `k${String(index)}` })]) as [string, object][],
  )

  it.each([
    ['const', { oneOf: list(30, (index) => branch({ const: `k${index}` })) }],
    ['enum', { oneOf: list(30, (index) => branch({ enum: [`k${index}`, `l${index}`] })) }],
    ['a type beside it', { oneOf: list(30, (index) => branch({ type: 'string', const: `k${index}` })) }],
    ['anyOf', { anyOf: list(30, (index) => branch({ const: `k${index}` })) }],
    [
      'references',
      { definitions: DEFINITIONS, oneOf: list(30, (index) => ({ $ref: `#/definitions/d${index}` })) },
    ],
    [
      'references to what refers to itself',
      {
        definitions: Object.fromEntries(
          Object.entries(DEFINITIONS).map(([name]) => {
            const properties = {
              kind: { const: name.replace('d', 'k') },
              next: { $ref: `#/definitions/${name}` },
            }
            return [name, { type: 'object', required: ['kind'], properties }]
          }),
        ),
        oneOf: list(30, (index) => ({ $ref: `#/definitions/d${index}` })),
      },
    ],
    [
      'no type of the branches',
      { oneOf: list(30, (index) => branch({ const: `k${index}` }, { type: undefined })) },
    ],
    [
      'other tests before',
      { oneOf: list(30, (index) => branch({ const: `k${index}` }, { minProperties: 1 })) },
    ],
  ])('is looked at once, not once for each branch: %s', (_name, schema) => {
    const [, [, look]] = bothBackEnds(JSON.parse(JSON.stringify(schema)))
    let reads = 0
    const value = (kind: string): object => ({
      get kind() {
        reads += 1
        return kind
      },
      n: 1,
    })
    expect([look(value('k29')), look(value('other'))]).toEqual([true, false])
    expect(reads).toBeLessThan(8)
  })
})
