import { describe, expect, it } from 'vitest'
import { createSchemaEngine, type ValidateFunction } from '../src/index.ts'

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

  it('compiles everything at boot in eager mode', () => {
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

  it.each(['auto', 'eager'] as const)(
    'does not see what is done to a schema after it was compiled in %s mode',
    (schemaCompilation) => {
      const schema = structuredClone(EVERYTHING)
      const own = validatorOf(schema, schemaCompilation)
      scramble(schema)
      const reference = validatorOf(structuredClone(EVERYTHING), 'auto')
      for (const value of VALUES) {
        expect(verdictOf(own, value)).toEqual(verdictOf(reference, value))
        // Errors may be made of what was let go of and found again.
        expect(verdictOf(own, value)).toEqual(verdictOf(reference, value))
      }
    },
  )
})

const EVERYTHING = {
  type: 'object',
  required: ['kind', 'size'],
  properties: {
    kind: { type: 'string', enum: ['a', 'b'] },
    size: { type: ['integer', 'null'], minimum: 1 },
    level: { enum: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] },
    fixed: { const: { deep: [1, 2] } },
    name: { type: 'string', minLength: 2, pattern: '^[a-z]+$' },
    options: { type: 'object', default: { list: [1] }, properties: { list: { type: 'array' } } },
    shared: { $ref: 'shared#' },
    items: {
      type: 'array',
      items: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    },
  },
  additionalProperties: false,
}

const VALUES: readonly object[] = [
  { kind: 'a', size: '3' },
  { kind: 'c', size: 0 },
  { size: 1 },
  { kind: 'b', size: null, level: '9', fixed: { deep: [1, 2] }, name: 'ab', more: 1 },
  { kind: 'b', size: 2, level: '10' },
  { kind: 'b', size: 2, fixed: { deep: [1] } },
  { kind: 'b', size: 2, name: 'A1' },
  { kind: 'b', size: 2, shared: { id: 'x' } },
  { kind: 'b', size: 2, items: [{ n: 1 }, { n: 'x' }, {}] },
]

function validatorOf(schema: object, schemaCompilation: 'auto' | 'eager'): ValidateFunction {
  const engine = createSchemaEngine({ schemaCompilation, ajv: { customOptions: { verbose: true } } })
  const store = engine.createStore()
  store.add({ $id: 'shared', type: 'object', properties: { id: { type: 'integer' } } })
  return engine.compileValidator({ schema, httpPart: 'body', store })
}

function verdictOf(validate: ValidateFunction, value: object): unknown {
  const data = structuredClone(value)
  return { fits: validate(data), data, errors: structuredClone(validate.errors) }
}

/** Changes all that can be changed. */
function scramble(value: object): void {
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry === 'object' && entry !== null) scramble(entry)
    else Reflect.set(value, key, 7)
  }
  Reflect.set(value, Array.isArray(value) ? value.length : 'not', {})
}
