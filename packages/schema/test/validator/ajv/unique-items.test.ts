import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../../../src/index.ts'

/** A validator of Ajv, for lists whose items are distinct. */
function compile(schema: object, customOptions: object = {}): ValidateFunction {
  const engine = createSchemaEngine({ ajv: { customOptions, onCreate: () => {} } })
  return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
}

/** Counts how often the items of a list are read. */
function readsOf(validate: ValidateFunction, length: number): number {
  let reads = 0
  const item = (n: number): object => ({
    get n() {
      reads += 1
      return n
    },
  })
  expect(validate(Array.from({ length }, (_, index) => item(index)))).toBe(true)
  return reads
}

describe('uniqueItems where Ajv decides', () => {
  it.each([
    { items: { type: 'object' } },
    { items: {} },
    { items: { type: ['integer', 'object'] } },
    { items: { type: ['string', 'array', 'object'] } },
    { items: [{ type: 'object' }] },
    {},
  ])('looks at each of many items a few times: %j', (rules) => {
    const validate = compile({ type: 'array', uniqueItems: true, ...rules }, { strict: false })
    expect(readsOf(validate, 1000)).toBeLessThan(6000)
  })

  it.each([
    [{ items: { type: 'integer' } }, { i: 1, j: 3 }],
    [{ items: { type: ['integer', 'string'] } }, { i: 1, j: 3 }],
    [{ items: { type: ['integer', 'array'] } }, { i: 4, j: 0 }],
    [
      { prefixItems: [{}], items: { type: 'integer' } },
      { i: 4, j: 0 },
    ],
    [{ items: {} }, { i: 4, j: 0 }],
  ])('names the pair that Ajv names: %j', (rules, params) => {
    const validate = compile(
      { type: 'array', uniqueItems: true, ...rules },
      { strict: false, coerceTypes: false },
    )
    expect(validate([1, 2, 3])).toBe(true)
    expect(validate([1, 2, 3, 2, 1])).toBe(false)
    expect(validate.errors).toMatchObject([{ keyword: 'uniqueItems', params }])
  })

  it('asks nothing of a list with uniqueItems: false', () => {
    expect(compile({ type: 'array', uniqueItems: false })([1, 1])).toBe(true)
  })

  it('reads the keyword from the data where $data allows that', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', uniqueItems: { $data: '1/isSet' } }, isSet: { type: 'boolean' } },
    }
    const validate = compile(schema, { $data: true })
    const list = [{ a: 1 }, { a: 1 }]
    expect([validate({ list, isSet: true }), validate({ list, isSet: false })]).toEqual([false, true])
  })
})
