import formats from 'ajv-formats/dist/formats.js'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { knownFormats } from '../src/document/known-keywords.ts'
import { createSchemaEngine, type SerializeFunction, type ValidateFunction } from '../src/index.ts'
import { formatTest } from '../src/runtime/formats.ts'
import { hashOfItem } from '../src/runtime/item-hash.ts'
import { allDistinct, areDistinct, findDuplicate } from '../src/runtime/unique.ts'
import { isUrl } from '../src/runtime/url.ts'
import { growthOf } from './growth.ts'
import { bothBackEnds } from './validator/both-back-ends.ts'
import { anyValue, Random } from './validator/random.ts'

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
  const BUCKETS = 8192
  const colliding: number[] = []
  for (let key = 0; colliding.length < 16_000 && key < 2 ** 31; key++) {
    if (hashOf(key) % BUCKETS === 7) colliding.push(key)
  }

  it.each([
    ['of any type', { type: 'array', uniqueItems: true }],
    ['of integers', { type: 'array', items: { type: 'integer' }, uniqueItems: true }],
  ])('takes linear time in lists %s, accepted and refused', (_name, schema) => {
    const validate = compile(schema)
    const run = (length: number): unknown => validate(colliding.slice(0, length))
    expect(run(16_000)).toBe(true)
    expect(growthOf(run, 2000, 8)).toBeLessThan(1.5)
    const refused = (length: number): unknown => validate([...colliding.slice(0, length), 1, 1])
    expect(refused(16_000)).toBe(false)
    expect(growthOf(refused, 2000, 8)).toBeLessThan(1.5)
  })
})

describe('uniqueItems over objects with one hash', () => {
  // The last digits of a number are not in the hash.
  const tiny = (n: number): object => ({ a: 1 + n * 2 ** -52, b: [1 + n * 2 ** -52] })
  const list = (length: number): object[] => Array.from({ length }, (_, n) => tiny(n))

  it('has all of them for one', () => {
    expect(new Set(list(50).map(hashOfItem)).size).toBe(1)
  })

  it('tells them apart and reports the pair that is equal', () => {
    expect(allDistinct(list(50))).toBe(true)
    expect(findDuplicate(list(50), Object.is)).toBeNull()
    expect(findDuplicate([...list(50), tiny(7), { x: 1 }], Object.is)).toEqual({ i: 50, j: 7 })
    expect(findDuplicate([tiny(3), tiny(3), tiny(3)], Object.is)).toEqual({ i: 2, j: 1 })
  })

  it('takes linear time', () => {
    expect(growthOf((length) => allDistinct(list(length)), 2000, 8)).toBeLessThan(1.5)
  })

  it('does not look at the order of properties, nor at the sign of zero', () => {
    const one = { a: 0, b: { c: 'x', d: null } }
    const other = { b: { d: null, c: 'x' }, a: -0 }
    expect(allDistinct([one, { a: 1 }, other])).toBe(false)
    expect(findDuplicate([one, { a: 1 }, other], Object.is)).toEqual({ i: 2, j: 0 })
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

  it('tells values of any depth apart', () => {
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

describe('unions that lead back to themselves in several branches', () => {
  const NODE = {
    $id: 'node',
    anyOf: [
      { type: 'object', properties: { next: { $ref: 'node#' }, a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { next: { $ref: 'node#' }, b: { type: 'string' } }, required: ['b'] },
    ],
  }
  const nested = (levels: number, innermost: unknown): unknown => {
    let value = innermost
    for (let level = 0; level < levels; level++) value = { a: 'x', b: 'y', next: value }
    return value
  }
  // Two branches for each of so many levels: no computer comes to an end unless each value is looked at once.
  const LEVELS = 200

  it.each([false, true])('refuse a value that is nested deeply, with all errors: %s', (allErrors) => {
    const engine = createSchemaEngine({ ajv: { customOptions: { allErrors } } })
    const store = engine.createStore()
    store.add(NODE)
    const validate = engine.compileValidator({ schema: { $ref: 'node#' }, httpPart: 'body', store })
    expect(validate(nested(LEVELS, {}))).toBe(false)
    expect(validate.errors?.length).toBeLessThan(10_000)
    expect(validate.errors?.at(-1)).toMatchObject({ instancePath: '', keyword: 'anyOf' })
    expect(validate(nested(LEVELS, { b: 'y' }))).toBe(true)
  })

  it('list the errors of few levels as Ajv does', () => {
    const ajv = new Ajv({ coerceTypes: 'array' }).addSchema(NODE).compile({ $ref: 'node#' })
    const engine = createSchemaEngine()
    const store = engine.createStore()
    store.add(NODE)
    const validate = engine.compileValidator({ schema: { $ref: 'node#' }, httpPart: 'body', store })
    expect([validate(nested(8, {})), ajv(nested(8, {}))]).toEqual([false, false])
    expect(validate.errors).toEqual(ajv.errors)
  })

  it.each(['anyOf', 'oneOf'])('are decided by both back ends of the acceptor: %s', (keyword) => {
    const schema = {
      [keyword]: NODE.anyOf.map(({ required }, index) => ({
        type: 'object',
        properties: { next: { $ref: '#' }, kind: { const: index } },
        required: [...required, 'kind'],
      })),
    }
    const value = (levels: number): unknown => {
      let inner: unknown = { a: 'x', b: 'y', kind: 1 }
      for (let level = 0; level < levels; level++) inner = { next: inner, a: 'x', b: 'y', kind: 1 }
      return inner
    }
    for (const [name, accept] of bothBackEnds(schema)) {
      expect([accept(value(LEVELS)), accept(nested(LEVELS, {}))], name).toEqual([true, false])
      // What was decided about one value says nothing about the next.
      expect([accept(value(3)), accept(nested(3, {}))], name).toEqual([true, false])
    }
  })
})

describe('an enum with many values', () => {
  it('costs as much to refuse as one with few', () => {
    let reads = 0
    const values = Array.from({ length: 2000 }, (_, id) => ({ id, tag: 'x' }))
    const validate = compile({ type: 'array', items: { enum: [...values, 'a', 1] } })
    const item = (id: number): object => ({
      get id() {
        reads++
        return id
      },
      tag: 'x',
    })
    const list = [...Array.from({ length: 2000 }, (_, id) => item(id)), item(-1)]
    expect(validate(list)).toBe(false)
    expect(validate.errors).toMatchObject([{ instancePath: '/2000', keyword: 'enum' }])
    expect(reads).toBeLessThan(list.length * 6)
  })
})

describe('formats in a union of a response', () => {
  it('are tested by the functions that the validator uses', () => {
    const serialize = compileSerializer({
      anyOf: [
        { type: 'string', format: 'url' },
        { type: 'string', pattern: '^http' },
      ],
    })
    const text = (length: number): string => `http://${':'.repeat(length)} `
    expect(serialize(text(10))).toBe(JSON.stringify(text(10)))
    expect(growthOf((length) => serialize(text(length)), 4000, 8)).toBeLessThan(1.5)
  })

  it('of numbers say nothing about strings', () => {
    const serialize = compileSerializer({
      anyOf: [{ type: 'string', format: 'int32', maxLength: 2 }, { type: 'object' }],
    })
    expect(serialize('ab')).toBe('"ab"')
  })
})

describe('the formats of the baseline', () => {
  const names = [...knownFormats()].filter((name) => formatTest(name)?.kind === 'string')
  const PIECES = ['a', '1', '.', ':', '-', '/', '%', '@', '{', '0:', 'a.', 'a-', '1.', '::', '~', '#', ' ']

  it.each(names)('%s is tested in linear time', (name) => {
    const test = formatTest(name)?.test
    const run = (text: string): unknown =>
      test instanceof RegExp ? test.test(text) : Reflect.apply(test ?? String, undefined, [text])
    for (const piece of PIECES) {
      for (const start of ['', 'http://', 'a@', '{']) {
        const growth = growthOf((length) => run(`${start}${piece.repeat(length)}!`), 4000, 8)
        expect(growth, `${start}${piece}`).toBeLessThan(1.6)
      }
    }
  })
})

describe('the url format', () => {
  it('has the verdicts of the usual regular expression', () => {
    const { url } = formats.fullFormats
    if (!(url instanceof RegExp)) throw new Error('the format is no regular expression any more')
    const random = new Random(Math.floor(Math.random() * 2 ** 31))
    const parts = [
      'http://',
      'https://',
      'ftp://',
      'HTTP://',
      'a',
      'b.cc',
      '.',
      'example.com',
      '@',
      '@@',
      ':',
      ':80',
      ':8',
      '/',
      '/x?y#z',
      ' ',
      '-',
      'é',
      '\u2028',
      '127.0.0.1',
      '8.8.8.8',
      '1.2.3.256',
      'ſ',
      'K',
      '_',
      'user:pw@',
      '😀',
      '\u3000',
    ]
    for (let round = 0; round < 30_000; round++) {
      const text =
        (random.chance(0.9) ? random.pick(parts.slice(0, 4)) : '') +
        Array.from({ length: random.below(7) }, () => random.pick(parts.slice(4))).join('')
      expect(isUrl(text), JSON.stringify(text)).toBe(url.test(text))
    }
  })
})
