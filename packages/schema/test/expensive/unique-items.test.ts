import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type SerializeFunction, type ValidateFunction } from '../../src/index.ts'
import { allDistinct, areDistinct, findDuplicate } from '../../src/runtime/unique.ts'
import { anyValue, Random } from '../validator/random.ts'

function compile(schema: unknown): ValidateFunction {
  const engine = createSchemaEngine()
  return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
}

function compileSerializer(schema: unknown): SerializeFunction {
  const engine = createSchemaEngine()
  return engine.compileSerializer({ schema, store: engine.createStore() })
}

describe('uniqueItems', () => {
  it('reports the same pair as Ajv on random lists', () => {
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const reference = new Ajv().compile({ type: 'array', uniqueItems: true })
    for (let round = 0; round < 3000; round++) {
      const list = Array.from({ length: random.below(8) }, () => anyValue(random, 2))
      const text = JSON.stringify(list)
      if (text.includes('toString')) continue
      const valid = reference(list)
      const found = findDuplicate(list, Object.is)
      expect(found, text).toEqual(valid ? null : reference.errors?.[0]?.params)
    }
  })

  it('looks at each of many objects once, also when the list is refused', () => {
    const validate = compile({ type: 'array', items: { type: 'object' }, uniqueItems: true })
    let reads = 0
    const item = (n: number): object => ({
      get n() {
        reads++
        return n
      },
    })
    const list = [item(1), ...Array.from({ length: 2000 }, (_, index) => item(index + 10)), item(1)]
    expect(validate(list)).toBe(false)
    expect(reads).toBeLessThan(list.length * 6)
  })
})

describe('uniqueItems over values that are nested deeply', () => {
  const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

  it('looks at each of the other items once, accepted or refused', () => {
    const validate = compile({ type: 'array', uniqueItems: true })
    let reads = 0
    const item = (n: number): object => ({
      get n() {
        reads++
        return n
      },
    })
    const list = [nested(9000), ...Array.from({ length: 2000 }, (_, index) => item(index))]
    expect(validate(list)).toBe(true)
    list.push(item(0))
    expect(validate(list)).toBe(false)
    expect(reads).toBeLessThan(list.length * 10)
  })

  it('distinguishes values of any depth', () => {
    expect(allDistinct([nested(300_000), nested(300_001)])).toBe(true)
    expect(allDistinct([nested(300_000), nested(300_000)])).toBe(false)
    expect(findDuplicate([nested(20_000), 1, nested(20_000)], Object.is)).toEqual({ i: 2, j: 0 })
  })

  it('compares values that are no JSON, such as instances and what contains itself, with the function given', () => {
    const instance = new Map()
    const circle: unknown[] = []
    circle.push([circle])
    expect(findDuplicate([1, instance, 1, instance], Object.is)).toEqual({ i: 3, j: 1 })
    expect(findDuplicate([circle, {}, circle], Object.is)).toEqual({ i: 2, j: 0 })
    expect(allDistinct([circle, {}])).toBe(false)
  })
})

describe('uniqueItems in a union of a response', () => {
  const serialize = compileSerializer({
    anyOf: [
      { type: 'array', uniqueItems: true },
      { type: 'array', items: { type: 'string' } },
    ],
  })

  it('looks at each of many objects a few times', () => {
    let reads = 0
    const item = (n: number): object => ({
      get n() {
        reads++
        return n
      },
    })
    const list = Array.from({ length: 2000 }, (_, index) => item(index))
    expect(JSON.parse(serialize(list))).toHaveLength(2000)
    expect(reads).toBeLessThan(list.length * 6)
  })

  it('compares the JSON of the items', () => {
    const day = new Date(0)
    expect(areDistinct([day, new Date(1)])).toBe(true)
    expect(areDistinct([day, new Date(0)])).toBe(false)
    expect(areDistinct([{ a: 1, b: undefined }, { a: 1 }])).toBe(false)
    expect(
      areDistinct([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toBe(false)
    expect(areDistinct([1n, { a: 1n }, { a: 2n }])).toBe(true)
  })
})
