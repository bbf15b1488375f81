import { describe, expect, it } from 'vitest'
import { anyDate, createJsonView } from '../../src/runtime/json-view.ts'
import { Random } from '../validator/random.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_123)
const NAMES = ['a', 'b', 'c', 'd']

class Own {
  readonly a = 1

  get b(): number {
    return 2
  }

  c(): number {
    return 3
  }
}

/** Makes an object of a random kind, with properties of which some are undefined. */
function randomObject(random: Random): object {
  const own: Record<string, unknown> = {}
  for (const name of NAMES)
    if (random.chance(0.5)) own[name] = random.chance(0.4) ? undefined : random.pick([1, 'x', null])
  const make = random.pick([
    () => own,
    () => Object.assign(Object.create(null), own),
    () => Object.assign(Object.create({ a: 1, d: undefined }), own),
    () => Object.assign(new Own(), own.a === undefined ? {} : { a: own.a }),
    () => ({ b: 1, toJSON: () => own }),
    () => Object.assign(Object.create({ toJSON: () => own }), { c: 1 }),
  ])
  return make()
}

describe('a view of a value as JSON shows it', () => {
  it('has the properties that JSON has, of those that are seen', () => {
    const random = new Random(SEED)
    let copies = 0
    for (let round = 0; round < 200; round++) {
      const isWhole = random.chance(0.5)
      const names = NAMES.filter(() => random.chance(0.7))
      const view = createJsonView(names, isWhole, random.chance(0.3))
      // One view sees objects of many kinds, one after another.
      for (let turn = 0; turn < 5; turn++) {
        const raw = randomObject(random)
        const shown = view(raw)
        const json: object = JSON.parse(JSON.stringify(raw))
        expect(shown, `seed ${SEED}, round ${round}`).toBeTypeOf('object')
        const object: Readonly<Record<string, unknown>> = { ...Object(shown) }
        for (const name of names)
          expect(object[name]).toBe(Object.entries(json).find(([key]) => key === name)?.[1])
        for (const name of names) expect(Object(shown)[name]).toBe(object[name])
        const keys: string[] = []
        for (const key in Object(shown)) keys.push(key)
        if (isWhole) expect(keys.toSorted()).toEqual(Object.keys(json).toSorted())
        if (shown !== raw) copies++
      }
    }
    expect(copies).toBeGreaterThan(0)
  })

  it('is the value itself where JSON shows the same', () => {
    const seen = [{ a: 1 }, {}, [1], 'x', 1, Infinity, true, null, undefined]
    for (const isWhole of [true, false]) {
      const view = createJsonView(NAMES, isWhole, false)
      expect(seen.map(view).every((shown, index) => shown === seen[index])).toBe(true)
    }
  })

  it('has no properties that all objects inherit', () => {
    const view = createJsonView(['toString', 'a'], false, false)
    expect(Object(view({ a: 1 }))['toString']).toBeUndefined()
    expect(Object(view({ a: 1 }))['a']).toBe(1)
    expect(Object(view({ toString: 1 }))['toString']).toBe(1)
  })

  it('knows of a date only that it is a text, and calls toJSON of all else', () => {
    const view = createJsonView([], true, false)
    expect(view(new Date(0))).toBe(anyDate)
    expect(view({ toJSON: () => new Date(0) })).toBe(anyDate)
    expect(view({ toJSON: () => 'x' })).toBe('x')
    expect(view(Object.assign([1], { toJSON: () => null }))).toBe(null)
  })

  it('is the finite number that is nearest to a bigint', () => {
    const view = createJsonView([], false, false)
    expect(view(10n)).toBe(10)
    expect(view(10n ** 400n)).toBe(Number.MAX_VALUE)
    expect(view(-(10n ** 400n))).toBe(-Number.MAX_VALUE)
  })
})
