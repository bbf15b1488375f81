import { describe, expect, it } from 'vitest'
import { createSchemaEngine } from '../src/index.ts'

const BODY = {
  type: 'object',
  properties: { n: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['n'],
}

describe('when functions are compiled', () => {
  it('puts code off in auto mode, and does it piece by piece when asked', () => {
    const engine = createSchemaEngine({ schemaCompilation: 'auto', codeGeneration: 'always' })
    const store = engine.createStore()
    const validate = engine.compileValidator({ schema: BODY, httpPart: 'body', store })
    const serialize = engine.compileSerializer({ schema: BODY, httpStatus: '200', store })
    let steps = 0
    while (engine.compileNext()) steps++
    // The acceptor and the serializer.
    expect(steps).toBe(2)
    expect(engine.compileNext()).toBe(false)
    expect(validate({ n: '1' })).toBe(true)
    expect(serialize({ n: 1, tags: [], secret: 1 })).toBe('{"n":1,"tags":[]}')
  })

  it('works in auto mode without idle time', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    const validate = engine.compileValidator({ schema: BODY, httpPart: 'body', store })
    expect(validate({})).toBe(false)
    expect(validate.errors?.[0]?.keyword).toBe('required')
    expect(validate({ n: 1 })).toBe(true)
    expect(validate.errors).toBeNull()
    expect(engine.compileSerializer({ schema: BODY, store })({ n: 1 })).toBe('{"n":1}')
  })

  it('leaves nothing for later in eager mode', () => {
    const engine = createSchemaEngine({ schemaCompilation: 'eager', codeGeneration: 'always' })
    const store = engine.createStore()
    engine.compileValidator({ schema: BODY, httpPart: 'body', store })
    engine.compileSerializer({ schema: BODY, store })
    expect(engine.compileNext()).toBe(false)
  })

  it.each(['auto', 'eager'] as const)('refuses a bad schema at boot in %s mode', (schemaCompilation) => {
    const engine = createSchemaEngine({ schemaCompilation })
    const store = engine.createStore()
    expect(() => engine.compileValidator({ schema: { type: 'strin' }, httpPart: 'body', store })).toThrow(
      '"type" must be',
    )
    expect(() => engine.compileSerializer({ schema: { type: 'strin' }, store })).toThrow('"type" must be')
    expect(() => engine.compileSerializer({ schema: { $ref: 'nowhere#' }, store })).toThrow('leads nowhere')
  })

  it('does not see what is done to a schema after it was compiled', () => {
    const engine = createSchemaEngine()
    const schema = { type: 'object', properties: { n: { type: 'integer' } } }
    const validate = engine.compileValidator({ schema, httpPart: 'body', store: engine.createStore() })
    schema.properties.n.type = 'string'
    const data = { n: '5' }
    expect(validate(data)).toBe(true)
    expect(data).toEqual({ n: 5 })
  })
})
