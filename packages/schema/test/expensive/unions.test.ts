import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../../src/index.ts'
import { bothBackEnds } from '../validator/both-back-ends.ts'

function compile(schema: unknown): ValidateFunction {
  const engine = createSchemaEngine()
  return engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
}

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
  /** Looks leave deeper values to walks. */
  const LOOKED_AT = 100

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
      const levels = name === 'looks' ? LOOKED_AT : LEVELS
      expect([accept(value(levels)), accept(nested(levels, {}))], name).toEqual([true, false])
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
