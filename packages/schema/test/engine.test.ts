import { describe, expect, it } from 'vitest'
import { createSchemaEngine, SchemaError } from '../src/index.ts'

function caught(run: () => unknown): SchemaError {
  try {
    run()
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const REFERENCE_FORMS: [name: string, schema: object][] = [
  [
    '#name',
    {
      type: 'object',
      properties: { a: { $ref: '#count' } },
      definitions: { count: { $id: '#count', type: 'integer' } },
    },
  ],
  [
    '#/definitions/name',
    {
      type: 'object',
      properties: { a: { $ref: '#/definitions/count' } },
      definitions: { count: { type: 'integer' } },
    },
  ],
  ['shared#', { type: 'object', properties: { a: { $ref: 'count#' } } }],
  ['shared#/definitions/name', { type: 'object', properties: { a: { $ref: 'shared#/definitions/count' } } }],
  ['shared#/properties/name', { type: 'object', properties: { a: { $ref: 'shared#/properties/number' } } }],
  ['shared#name', { type: 'object', properties: { a: { $ref: 'shared#named' } } }],
  ['absolute', { type: 'object', properties: { a: { $ref: 'http://example.com/count.json#' } } }],
  [
    'relative',
    { $id: 'http://example.com/a/b.json', type: 'object', properties: { a: { $ref: '../count.json' } } },
  ],
  ['several hops', { type: 'object', properties: { a: { $ref: 'hop#/definitions/there' } } }],
  [
    'plain id under an absolute base',
    { $id: 'http://x.test/y', type: 'object', properties: { a: { $ref: 'count#' } } },
  ],
  ['id with a space', { type: 'object', properties: { a: { $ref: 'my count#/definitions/count' } } }],
]

function sharedStore() {
  const engine = createSchemaEngine()
  const store = engine.createStore()
  store.add({ $id: 'count', type: 'integer' })
  store.add({ $id: 'my count', definitions: { count: { type: 'integer' } } })
  store.add({ $id: 'http://example.com/count.json', type: 'integer' })
  store.add({ $id: 'hop', definitions: { there: { $ref: 'shared#named' } } })
  store.add({
    $id: 'shared',
    type: 'object',
    properties: { number: { $ref: '#named' } },
    definitions: { count: { type: 'integer' }, named: { $id: '#named', $ref: '#/definitions/count' } },
  })
  return { engine, store }
}

describe('references', () => {
  it.each(REFERENCE_FORMS)('resolves the form %s in the validator', (_name, schema) => {
    const { engine, store } = sharedStore()
    const validate = engine.compileValidator({ schema, httpPart: 'body', store })
    const data = { a: '5' }
    expect(validate(data)).toBe(true)
    expect(data).toEqual({ a: 5 })
    expect(validate({ a: 'x' })).toBe(false)
    expect(validate.errors?.[0]).toMatchObject({ keyword: 'type', instancePath: '/a' })
  })

  it.each([
    ['#', { type: 'object', properties: { next: { $ref: '#' }, n: { type: 'integer' } } }],
    ['own id', { $id: 'n', type: 'object', properties: { next: { $ref: 'n#' }, n: { type: 'integer' } } }],
  ])('lets a schema refer to itself by %s', (_name, schema) => {
    const { engine, store } = sharedStore()
    const validate = engine.compileValidator({ schema, httpPart: 'body', store })
    expect(validate({ next: { next: { n: 1 } } })).toBe(true)
    expect(validate({ next: { next: { n: 'x' } } })).toBe(false)
  })

  it('names the nearest schema when a reference leads nowhere', () => {
    const { engine, store } = sharedStore()
    const schema = { type: 'object', properties: { a: { $ref: 'cuont#' } } }
    const error = caught(() =>
      engine.compileValidator({
        schema,
        httpPart: 'body',
        store,
        route: { method: 'POST', url: '/x', callSite: 'app.js:3', context: 'root' },
      }),
    )
    expect(error.code).toBe('REF_UNRESOLVED')
    expect(error.pointer).toBe('/properties/a/$ref')
    expect(error.nearest).toEqual(['count#'])
    expect(error.message).toBe(
      'schema of body of route POST /x at /properties/a/$ref: "$ref": "cuont#" leads nowhere: no shared schema "cuont" is visible in context "root"; add it with addSchema; did you mean "count#"? (context root, defined at app.js:3)',
    )
  })

  it('names the context in which an invisible schema is defined', () => {
    const { engine, store } = sharedStore()
    engine.createStore(store, 'root > admin').add({ $id: 'secret', type: 'string' })
    const sibling = engine.createStore(store, 'root > api')
    const error = caught(() =>
      engine.compileValidator({ schema: { $ref: 'secret#' }, httpPart: 'body', store: sibling }),
    )
    expect(error.message).toContain(
      '"secret" is defined in context "root > admin", which context "root > api" does not see',
    )
  })

  it('names the nearest definition when the fragment does not exist', () => {
    const { engine, store } = sharedStore()
    const error = caught(() =>
      engine.compileValidator({ schema: { $ref: 'shared#/definitions/cuont' }, httpPart: 'body', store }),
    )
    expect(error.nearest).toEqual(['shared#/definitions/count'])
  })
})

describe('the store', () => {
  it('shows a child what its ancestors have, and nobody else what the child has', () => {
    const engine = createSchemaEngine()
    const root = engine.createStore()
    const child = engine.createStore(root, 'child')
    const sibling = engine.createStore(root, 'sibling')
    root.add({ $id: 'a', type: 'string' })
    child.add({ $id: 'b', type: 'string' })
    expect(Object.keys(child.all())).toEqual(['a', 'b'])
    expect(Object.keys(sibling.all())).toEqual(['a'])
    expect(root.get('b')).toBeUndefined()
    expect(child.get('a')).toEqual({ $id: 'a', type: 'string' })
  })

  it('refuses a second schema with a visible id and names both call sites', () => {
    const engine = createSchemaEngine()
    const root = engine.createStore()
    root.add({ $id: 'a' }, 'app.js:1')
    const error = caught(() => engine.createStore(root, 'child').add({ $id: 'a' }, 'plugin.js:2'))
    expect(error.code).toBe('ID_DUPLICATE')
    expect(error.message).toContain('app.js:1')
    expect(error.message).toContain('plugin.js:2')
  })

  it('refuses a schema without id', () => {
    expect(caught(() => createSchemaEngine().createStore().add({ type: 'string' })).code).toBe('ID_MISSING')
  })

  it('does not see what is done to the object after it was added', () => {
    const engine = createSchemaEngine()
    const root = engine.createStore()
    const schema = { $id: 'a', type: 'string' }
    root.add(schema)
    schema.type = 'number'
    expect(root.get('a')).toEqual({ $id: 'a', type: 'string' })
  })

  it('keeps the same id with different content apart in sibling contexts', () => {
    const engine = createSchemaEngine()
    const root = engine.createStore()
    const one = engine.createStore(root, 'one')
    const two = engine.createStore(root, 'two')
    one.add({ $id: 'a', type: 'integer' })
    two.add({ $id: 'a', type: 'string', minLength: 3 })
    const schema = { type: 'object', properties: { a: { $ref: 'a#' } } }
    const first = engine.compileValidator({ schema, httpPart: 'body', store: one })
    const second = engine.compileValidator({ schema, httpPart: 'body', store: two })
    expect([first({ a: 'abc' }), second({ a: 'abc' }), second({ a: 'a' })]).toEqual([false, true, false])
  })
})

describe('content keys', () => {
  it('compiles the same schema once, whatever context it is in', () => {
    const engine = createSchemaEngine()
    const root = engine.createStore()
    root.add({ $id: 'a', type: 'integer' })
    const schema = () => ({ type: 'object', properties: { a: { $ref: 'a#' } } })
    const validators = [1, 2, 3].map((n) => {
      const store = engine.createStore(root, `c${n}`)
      store.add({ $id: `own${n}`, type: 'string' })
      return engine.compileValidator({ schema: schema(), httpPart: 'body', store })
    })
    expect(new Set(validators).size).toBe(1)
  })

  it('never shares a schema that holds a function, a date or a class instance', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    for (const value of [() => 1, new Date(0), new Map(), Symbol('x'), 1n]) {
      const schema = () => ({ type: 'object', 'x-own': value })
      expect(engine.compileValidator({ schema: schema(), httpPart: 'body', store })).not.toBe(
        engine.compileValidator({ schema: schema(), httpPart: 'body', store }),
      )
    }
  })
})

describe('the baseline', () => {
  const engine = createSchemaEngine()
  const store = engine.createStore()

  it('coerces, wraps, fills defaults and removes what a closed object does not declare', () => {
    const validate = engine.compileValidator({
      schema: {
        type: 'object',
        properties: {
          ids: { type: 'array', items: { type: 'integer' } },
          limit: { type: 'integer', default: 10 },
        },
        additionalProperties: false,
      },
      httpPart: 'querystring',
      store,
    })
    const data = { ids: '7', other: 1 }
    expect(validate(data)).toBe(true)
    expect(data).toEqual({ ids: [7], limit: 10 })
  })

  it('allows the vocabulary of OpenAPI', () => {
    const schema = {
      type: 'object',
      discriminator: { propertyName: 'kind' },
      'x-order': 1,
      properties: {
        kind: {
          type: 'string',
          example: 'cat',
          examples: ['cat'],
          deprecated: true,
          xml: {},
          externalDocs: {},
        },
        blob: { type: 'string', contentEncoding: 'base64', format: 'byte' },
      },
    }
    expect(engine.compileValidator({ schema, httpPart: 'body', store })({ kind: 'cat' })).toBe(true)
  })

  it('returns a promise for an asynchronous schema', async () => {
    const validate = engine.compileValidator({
      schema: { $async: true, type: 'object', properties: { n: { type: 'integer' } } },
      httpPart: 'body',
      store,
    })
    expect(validate.async).toBe(true)
    await expect(validate({ n: '1' })).resolves.toEqual({ n: 1 })
    await expect(validate({ n: 'x' })).rejects.toMatchObject({ errors: [{ keyword: 'type' }] })
  })
})

describe('a shared schema whose `$id` is a fragment', () => {
  it('is found by that fragment, for validation with its errors and for serialization', () => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    store.add({ $id: '#part', type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] })
    const schema = { type: 'object', properties: { part: { $ref: '#part' } } }
    const validate = engine.compileValidator({ schema, httpPart: 'body', store })
    expect(validate({ part: { a: 1 } })).toBe(true)
    expect(validate({ part: {} })).toBe(false)
    expect(validate.errors?.[0]?.message).toBe("must have required property 'a'")
    const serialize = engine.compileSerializer({ schema, store })
    expect(serialize({ part: { a: 1, b: 2 } })).toBe('{"part":{"a":1}}')
  })
})

describe('data in a schema that contains itself', () => {
  const self: Record<string, unknown> = { a: 1 }
  self['list'] = [self]
  const named = (name: string, value: unknown): object => {
    const schema = { type: 'object', properties: { p: { type: 'integer', [name]: value } } }
    if (name === 'x-root') Reflect.set(schema.properties.p, name, schema)
    return schema
  }

  it.each([
    ['example', self],
    ['examples', [self]],
    ['x-note', self],
    ['x-notes', { deep: [{ er: self }] }],
    ['x-root', undefined],
    ['externalDocs', self],
    ['deprecated', self],
  ])('is no matter in an annotation: %s', (name, value) => {
    const schema = named(name, value)
    for (const codeGeneration of ['never', 'always'] as const) {
      const engine = createSchemaEngine({ codeGeneration })
      const store = engine.createStore()
      store.add({ ...schema, $id: 'shared' })
      for (const one of [schema, { $ref: 'shared#' }]) {
        const validate = engine.compileValidator({ schema: one, httpPart: 'body', store })
        expect([validate({ p: 1 }), validate({ p: 'x' })]).toEqual([true, false])
        expect(engine.compileSerializer({ schema: one, store })({ p: 1, q: 2 })).toBe('{"p":1}')
      }
    }
  })

  it.each([
    ['const', self],
    ['default', self],
    ['enum', [self]],
  ])('stops the start where it counts: %s', (name, value) => {
    const engine = createSchemaEngine()
    const store = engine.createStore()
    const error = caught(() =>
      engine.compileValidator({ schema: named(name, value), httpPart: 'body', store }),
    )
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', pointer: `/properties/p/${name}` })
    expect(error.reason).toBe(
      `the value of "${name}" contains itself, which no JSON does; write a value that ends`,
    )
  })
})
