import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../../src/index.ts'
import { hashOfItem } from '../../src/runtime/item-hash.ts'
import { createNumberTable } from '../../src/runtime/number-table.ts'
import { allDistinct, findDuplicate } from '../../src/runtime/unique.ts'
import { growthOf } from '../growth.ts'

function compile(schema: unknown): ValidateFunction {
  const engine = createSchemaEngine()
  return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
}

describe('uniqueItems over numbers that share one bucket of a Map', () => {
  /** The hash that V8 gives to a small integer in a Map or a Set; it has no seed. */
  const hashOf = (key: number): number => {
    let hash = (~key + (key << 15)) >>> 0
    hash = (hash ^ (hash >>> 12)) >>> 0
    hash = (hash + (hash << 2)) >>> 0
    hash = (hash ^ (hash >>> 4)) >>> 0
    hash = Math.imul(hash, 2057) >>> 0
    return (hash ^ (hash >>> 16)) >>> 0
  }
  const LENGTH = 6000
  /** Of a Map with so many entries. */
  const BUCKETS = 4096
  const colliding: number[] = []
  for (let key = 0; colliding.length < LENGTH && key < 2 ** 31; key++) {
    if (hashOf(key) % BUCKETS === 7) colliding.push(key)
  }

  it.each([
    ['of any type', { type: 'array', uniqueItems: true }],
    ['of integers', { type: 'array', items: { type: 'integer' }, uniqueItems: true }],
  ])('takes linear time in lists %s, accepted and refused', (_name, schema) => {
    const validate = compile(schema)
    const run = (length: number): unknown => validate(colliding.slice(0, length))
    expect(run(LENGTH)).toBe(true)
    expect(growthOf(run, LENGTH / 6, 6)).toBeLessThan(1.5)
    const refused = (length: number): unknown => validate([...colliding.slice(0, length), 1, 1])
    expect(refused(LENGTH)).toBe(false)
    expect(growthOf(refused, LENGTH / 6, 6)).toBeLessThan(1.5)
  })
})

describe('uniqueItems over objects with one hash', () => {
  // The last digits of a number are not in the hash.
  const tiny = (n: number): object => ({ a: 1 + n * 2 ** -52, b: [1 + n * 2 ** -52] })
  const list = (length: number): object[] => Array.from({ length }, (_, n) => tiny(n))

  it('has all of them for one', () => {
    expect(new Set(list(50).map(hashOfItem)).size).toBe(1)
  })

  it('distinguishes them and reports the pair that is equal', () => {
    expect(allDistinct(list(50))).toBe(true)
    expect(findDuplicate(list(50), Object.is)).toBeNull()
    expect(findDuplicate([...list(50), tiny(7), { x: 1 }], Object.is)).toEqual({ i: 50, j: 7 })
    expect(findDuplicate([tiny(3), tiny(3), tiny(3)], Object.is)).toEqual({ i: 2, j: 1 })
    expect(findDuplicate([tiny(0), tiny(1), tiny(0)], Object.is)).toEqual({ i: 2, j: 0 })
  })

  it('takes linear time', () => {
    expect(growthOf((length) => allDistinct(list(length)), 500, 8)).toBeLessThan(1.5)
  })

  it('does not look at the order of properties, nor at the sign of zero', () => {
    const one = { a: 0, b: { c: 'x', d: null } }
    const other = { b: { d: null, c: 'x' }, a: -0 }
    expect(allDistinct([one, { a: 1 }, other])).toBe(false)
    expect(findDuplicate([one, { a: 1 }, other], Object.is)).toEqual({ i: 2, j: 0 })
  })
})

describe('a table of numbers that differ in few of their bits', () => {
  /** The number whose four halves of words are these, the lowest first. */
  const numberOf = (...halves: readonly number[]): number =>
    new Float64Array(Uint16Array.from(halves).buffer)[0] ?? 0
  const SIZE = 8000

  it.each<readonly [string, (index: number) => number]>([
    ['the lowest half of the low word', (index) => numberOf(index, 0, 0, 0x3ff0)],
    ['the highest half of the low word', (index) => numberOf(0, index, 0, 0x3ff0)],
    ['the lowest half of the high word', (index) => numberOf(0, 0, index, 0x3ff0)],
    ['the highest half of the high word', (index) => numberOf(0, 0, 0, index)],
    ['two halves that have one sum', (index) => numberOf(index, SIZE - index, 0, 0x3ff0)],
    [
      'halves whose low bits are all zero',
      (index) =>
        numberOf(
          (index & 15) << 12,
          ((index >> 4) & 15) << 12,
          ((index >> 8) & 15) << 12,
          (index >> 12) << 12,
        ),
    ],
  ])('takes linear time: %s', (_name, make) => {
    const numbers = Array.from({ length: SIZE }, (_, index) => make(index))
    const fill = (length: number): number => {
      const table = createNumberTable(length)
      return Math.max(...numbers.slice(0, length).map((number) => table.indexOf(number))) + 1
    }
    expect(fill(SIZE)).toBe(SIZE)
    expect(growthOf(fill, 1000, 8)).toBeLessThan(1.5)
  })
})
