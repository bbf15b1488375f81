import { describe, expect, it } from 'vitest'
import { bothBackEnds } from './both-back-ends.ts'

describe('code and looks', () => {
  it('see the same properties of objects that no JSON text makes', () => {
    const properties = { a: { type: 'integer' }, toString: { type: 'string' }, b: { type: 'string' } }
    class Inheriting {
      get a(): string {
        return 'x'
      }
    }
    const values = (): object[] => [
      new Inheriting(),
      Object.assign(Object.create({ a: 'x' }), { b: 'y' }),
      Object.assign(Object.create(null), { a: 1, b: 'y' }),
      Object.assign(Object.create(null), { a: 'x' }),
      Object.defineProperty({ b: 'y' }, 'a', { value: 'x' }),
      Object.defineProperty({ b: 'y', toString: 'z' }, 'a', { value: 3 }),
      { b: 'y', a: undefined },
      { toString: 'z', b: 'y', a: 4, other: 1 },
    ]
    for (const others of [{}, { additionalProperties: false }, { additionalProperties: { type: 'null' } }]) {
      const [code, looks] = bothBackEnds({ type: 'object', properties, ...others })
      const verdicts = ([, accept]: typeof code): boolean[] => values().map((value) => accept(value))
      expect(verdicts(looks)).toEqual(verdicts(code))
    }
  })

  it('may be called again while they run', () => {
    const number = { type: 'integer' }
    const schema = { type: 'object', properties: { a: number, b: number, c: number } }
    for (const [, accept] of bothBackEnds(schema)) {
      const inner = { a: '1', c: '3' }
      let isInside = false
      const outer = {
        a: '1',
        get b() {
          if (!isInside) {
            isInside = true
            expect(accept(inner)).toBe(true)
          }
          return 2
        },
        c: '3',
      }
      expect(accept(outer)).toBe(true)
      expect(inner).toEqual({ a: 1, c: 3 })
      expect({ ...outer }).toEqual({ a: 1, b: 2, c: 3 })
    }
  })
})
