import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../../src/index.ts'
import { bothBackEnds } from './both-back-ends.ts'

describe('code and looks', () => {
  it('see the same properties of objects that no JSON text makes', () => {
    const plain = { a: { type: 'integer' }, b: { type: 'string' } }
    const inherited = { a: { type: 'integer' }, toString: { type: 'string' }, b: { type: 'string' } }
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
      Object.assign(new Inheriting(), { b: 'y', toString: 'z' }),
      { b: 'y', a: undefined },
      { toString: 'z', b: 'y', a: 4, other: 1 },
    ]
    for (const properties of [plain, inherited])
      for (const others of [
        {},
        { additionalProperties: false },
        { additionalProperties: { type: 'null' } },
      ]) {
        const [code, looks] = bothBackEnds({ type: 'object', properties, ...others })
        const verdicts = ([, accept]: typeof code): boolean[] => values().map((value) => accept(value))
        expect(verdicts(looks)).toEqual(verdicts(code))
        expect(verdicts(looks)[0]).toBe(false)
      }
  })

  it('go on where a value cannot be changed, as Ajv does', () => {
    const integers = { type: 'integer' }
    const values: readonly (readonly [schema: object, value: object])[] = [
      [{ properties: { a: integers } }, Object.freeze({ a: '1' })],
      [{ properties: { a: integers }, additionalProperties: false }, Object.freeze({ a: 1, b: 2 })],
      [{ properties: { a: integers }, additionalProperties: false }, Buffer.from('bytes')],
      [{ properties: { a: { default: 1 } } }, Object.freeze({})],
      [{ additionalProperties: integers }, Object.freeze({ a: '1' })],
      [{ type: 'array', items: integers }, Object.freeze(['1'])],
      [{ type: 'array', items: { type: 'array', items: integers } }, Object.freeze(['1'])],
      [
        { properties: { a: integers } },
        {
          get a() {
            return '1'
          },
        },
      ],
    ]
    for (const [schema, value] of values) {
      const before = JSON.stringify(value)
      for (const codeGeneration of ['never', 'always'] as const) {
        const engine = createSchemaEngine({ codeGeneration })
        const validate = engine.compileValidator({
          schema: { type: 'object', ...schema },
          httpPart: 'body',
          store: engine.createStore(),
        })
        expect([codeGeneration, schema, validate(value)]).toEqual([codeGeneration, schema, true])
        expect(JSON.stringify(value)).toBe(before)
      }
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
