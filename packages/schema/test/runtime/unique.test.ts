import { describe, expect, it } from 'vitest'
import { canonicalJson, NotJson, plainJson, writtenJson } from '../../src/runtime/canonical.ts'
import { hashOfItem } from '../../src/runtime/item-hash.ts'
import { createNumberTable, FEW_NUMBERS } from '../../src/runtime/number-table.ts'
import { allDistinct, allScalarsDistinct, areDistinct, findDuplicate } from '../../src/runtime/unique.ts'

/** Values of which no two are equal as JSON. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  2 ** 53,
  2 ** 32,
  1e300,
  '',
  '0',
  '1',
  'null',
  'a',
  'b',
  '[]',
  '{}',
  'é',
  [],
  [[]],
  [[[]]],
  [0],
  [1],
  [1, 2],
  [2, 1],
  ['1'],
  [null],
  [true],
  [false],
  ['a', 'b'],
  [{}],
  [0.5],
  [0.25],
  {},
  { a: 1 },
  { b: 1 },
  { a: 2 },
  { a: '1' },
  { a: null },
  {
    a: 1,
    b: 2,
  },
  {
    a: 2,
    b: 1,
  },
  { a: [] },
  { a: {} },
  { '': 1 },
  { a: { b: 1 } },
  { a: { b: 2 } },
  { b: { a: 1 } },
  { a: [{ b: 1 }] },
  { a: true },
  { a: false },
]

const copyOf = (value: unknown): unknown => (value === undefined ? value : JSON.parse(JSON.stringify(value)))
const same = (left: unknown, right: unknown): boolean => left === right
const filler = (length: number): string[] => Array.from({ length }, (_, index) => `filler ${index}`)
const nested = (depth: number, innermost: unknown): unknown => {
  let value = innermost
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

describe('values of JSON', () => {
  // Short and long lists are kept in different tables.
  it.each([0, 300])('are distinct, or the pair is found, behind %d others', (count) => {
    const list = [...filler(count), ...VALUES]
    expect([allDistinct(list), areDistinct(list), findDuplicate(list, same)]).toEqual([true, true, null])
    for (const [index, value] of VALUES.entries()) {
      const more = [...list, copyOf(value)]
      const pair = { i: list.length, j: count + index }
      expect([value, allDistinct(more), areDistinct(more), findDuplicate(more, same)]).toEqual([
        value,
        false,
        false,
        pair,
      ])
    }
  })

  it('may differ in the order of their properties, and in the sign of zero', () => {
    const list = [{ a: { c: 0, d: 'x' }, b: 2 }, [0], 0]
    expect(findDuplicate([...list, { b: 2, a: { d: 'x', c: -0 } }], same)).toEqual({ i: 3, j: 0 })
    expect(findDuplicate([...list, [-0]], same)).toEqual({ i: 3, j: 1 })
    expect(findDuplicate([...list, -0], same)).toEqual({ i: 3, j: 2 })
  })

  it('of which several are equal: the last of them and the nearest before it are named', () => {
    for (const [one, other] of [
      [1, 2],
      ['a', 'b'],
      [[1], [2]],
      [{ a: 1 }, { a: 2 }],
    ]) {
      expect(findDuplicate([one, one, one], same)).toEqual({ i: 2, j: 1 })
      expect(findDuplicate([one, other, one, other], same)).toEqual({ i: 3, j: 1 })
      expect(findDuplicate([one, other, other, one], same)).toEqual({ i: 3, j: 0 })
      expect(findDuplicate([one, one, other], same)).toEqual({ i: 1, j: 0 })
    }
  })

  it.each([5, 31, 32, 33, 64, 500])('are distinguished %d levels deep', (depth) => {
    const list = [nested(depth, 1), nested(depth, 2), nested(depth + 1, 1)]
    expect([allDistinct(list), areDistinct(list)]).toEqual([true, true])
    expect(allDistinct([...list, nested(depth, 2)])).toBe(false)
    expect(findDuplicate([...list, nested(depth, 2)], same)).toEqual({ i: 3, j: 1 })
  })

  it('are few: none and one are distinct', () => {
    for (const list of [[], [1], [{}], ['a']]) {
      expect([allDistinct(list), areDistinct(list), allScalarsDistinct(list)]).toEqual([true, true, true])
      expect(findDuplicate(list, same)).toBeNull()
    }
    expect([allDistinct(['a', 'a']), allScalarsDistinct(['a', 'a']), allScalarsDistinct([1, 2, 1])]).toEqual([
      false,
      false,
      false,
    ])
    expect(allDistinct(['a', 'b'])).toBe(true)
    expect(allDistinct([new Map()])).toBe(true)
    expect(allScalarsDistinct([1, '1', true, null])).toBe(true)
    expect(allScalarsDistinct([...filler(400), 1])).toBe(true)
    expect(allScalarsDistinct([...filler(400), 'filler 7'])).toBe(false)
  })
})

describe('values that are no JSON', () => {
  const circle: Record<string, unknown> = {}
  circle['next'] = [circle]
  const OTHERS = [new Map(), Symbol('s'), () => {}, circle, new Date(0), Object.create({ a: 1 })]

  it('are compared with the function that is given, and are not for the fast path', () => {
    for (const other of OTHERS) {
      expect(allDistinct([1, other])).toBe(false)
      expect(findDuplicate([1, other, 2], same)).toBeNull()
      expect(findDuplicate([other, 1, other, 2], same)).toEqual({ i: 2, j: 0 })
      expect(findDuplicate([other, other, 1, other], same)).toEqual({ i: 3, j: 1 })
      expect(findDuplicate([1, other, 2], () => true)).toBeNull()
    }
  })

  it('are distinguished where a parser of the application makes them: bigints, NaN and undefined', () => {
    for (const list of [
      [1n, 2n, 1, '1'],
      [[1n], [2n], [1], ['1']],
      [NaN, null, 'NaN'],
      [[NaN], [null], ['NaN'], [undefined], []],
      [undefined, 0, null],
    ]) {
      expect([list, allDistinct(list), findDuplicate(list, same)]).toEqual([list, true, null])
    }
    for (const list of [
      [1n, 1n],
      [[1n], [1n]],
      [[NaN], [NaN]],
      [undefined, undefined],
    ]) {
      expect([list, allDistinct(list), findDuplicate(list, same)]).toEqual([list, false, { i: 1, j: 0 }])
    }
  })

  it('are several, of which none is equal to another', () => {
    expect(allDistinct([new Map(), new Map()])).toBe(false)
    expect(findDuplicate([new Map(), new Map()], same)).toBeNull()
  })

  it('throw what their getters throw', () => {
    const failing = {
      get a(): number {
        throw new RangeError('no a')
      },
    }
    expect(() => allDistinct([failing, 1])).toThrow('no a')
    expect(() => findDuplicate([failing, 1], same)).toThrow('no a')
    expect(() => areDistinct([failing, 1])).toThrow('no a')
  })

  it('are compared where they are within others', () => {
    expect(findDuplicate([[new Map()], [new Map()]], () => false)).toBeNull()
    expect(findDuplicate([[new Map()], [new Map()]], () => true)).toEqual({ i: 1, j: 0 })
  })

  it('are equal in a response where their JSON is', () => {
    expect(areDistinct([new Date(0), new Date(1)])).toBe(true)
    expect(areDistinct([new Date(0), new Date(0)])).toBe(false)
    expect(areDistinct([new Date(0), '1970-01-01T00:00:00.000Z'])).toBe(false)
    expect(areDistinct([{ a: 1, b: undefined }, { a: 1 }])).toBe(false)
    expect(areDistinct([{ a: () => {}, b: 1 }, { b: 1 }])).toBe(false)
    expect(areDistinct([{ toJSON: () => [1] }, [1]])).toBe(false)
    expect(areDistinct([undefined, null])).toBe(false)
    expect(areDistinct([[undefined], [null]])).toBe(false)
    expect(areDistinct([{ a: Symbol('s') }, {}])).toBe(false)
  })
})

describe('the hash of a container', () => {
  it('is that of equal ones', () => {
    for (const value of VALUES)
      if (typeof value === 'object' && value !== null)
        expect(hashOfItem(Object(copyOf(value)))).toBe(hashOfItem(value))
    expect(hashOfItem({ a: 1, b: 2, c: [0] })).toBe(hashOfItem({ c: [-0], b: 2, a: 1 }))
  })

  it('differs from that of others, as a rule', () => {
    const hashes = VALUES.flatMap((value) =>
      typeof value === 'object' && value !== null ? [hashOfItem(value)] : [],
    )
    expect(new Set(hashes).size).toBe(hashes.length)
    const numbers = [0, 1, -1, 255, 256, 2 ** 31, 2 ** 33, -(2 ** 40), 0.5, 0.25, 1.5, 1e300]
    expect(new Set(numbers.map((number) => hashOfItem([number]))).size).toBe(numbers.length)
    const texts = ['', 'a', 'b', 'ab', 'ba', 'aa', 'aaa', '\u0100', '\0']
    expect(new Set(texts.map((text) => hashOfItem([text]))).size).toBe(texts.length)
    expect(new Set(texts.map((text) => hashOfItem({ [text]: 1 }))).size).toBe(texts.length)
  })

  it('is none for what is no JSON, or nested deeply', () => {
    const values = [
      new Map(),
      [() => {}],
      { a: Number.NaN },
      [Infinity],
      { a: [undefined] },
      [1n],
      [[new Date()]],
    ]
    for (const value of values) expect(hashOfItem(value)).toBeNaN()
    expect(hashOfItem(Object(nested(32, 1)))).not.toBeNaN()
    expect(hashOfItem(Object(nested(33, 1)))).toBeNaN()
  })
})

describe('a table of numbers', () => {
  it.each([10, FEW_NUMBERS, FEW_NUMBERS + 1, 2000])('counts different ones, for up to %d of them', (most) => {
    const table = createNumberTable(most)
    const numbers = Array.from(
      { length: Math.min(most, 1500) },
      (_, index) => (index - 3) * 0.37 * 2 ** (index % 40),
    )
    const different = [...new Set(numbers.map((number) => number + 0))]
    for (let round = 0; round < 2; round++)
      for (const [index, number] of different.entries()) expect(table.indexOf(number)).toBe(index)
    expect(table.indexOf(-1)).toBe(different.length)
  })

  it('takes minus zero for zero', () => {
    for (const most of [2, 1000]) {
      const table = createNumberTable(most)
      expect([table.indexOf(0), table.indexOf(-0), table.indexOf(1)]).toEqual([0, 0, 1])
    }
  })
})

describe('canonical JSON', () => {
  it('has the keys in order, on every level', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 'x"' }], a: null }, plainJson)).toBe(
      '{"a":null,"b":[{"c":"x\\"","d":1}]}',
    )
    expect(canonicalJson({ a: 1, b: [true, -0] }, plainJson)).toBe('{"a":1,"b":[true,0]}')
    expect(canonicalJson([], plainJson) + canonicalJson({}, plainJson)).toBe('[]{}')
    expect(canonicalJson({ b: -0, a: [[], {}] }, plainJson)).toBe('{"a":[[],{}],"b":0}')
    expect(canonicalJson([0, { b: 1, a: 2 }], plainJson)).toBe('[0,{"a":2,"b":1}]')
    expect(canonicalJson({ a: { c: 1, b: 2 }, b: 3 }, plainJson)).toBe('{"a":{"b":2,"c":1},"b":3}')
    expect(canonicalJson({ a: { c: 1, b: 2 } }, plainJson)).toBe('{"a":{"b":2,"c":1}}')
  })

  it('is that of JSON.stringify however deep a value is', () => {
    for (const depth of [31, 32, 33, 40, 2000]) {
      const value = Object(nested(depth, 'x'))
      expect(canonicalJson(value, plainJson)).toBe(JSON.stringify(value))
    }
  })

  it('does not exist for what contains itself, or is no JSON', () => {
    const circle: unknown[] = []
    circle.push({ b: circle, a: 1 })
    for (const value of [circle, [new Map()], { b: 1, a: () => {} }, [Symbol('s')]])
      expect(() => canonicalJson(value, plainJson)).toThrow(NotJson)
    expect(() => canonicalJson(circle, writtenJson)).toThrow(NotJson)
  })
})
