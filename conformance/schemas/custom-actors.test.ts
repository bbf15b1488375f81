import { Ajv } from 'ajv'
import { describeBehind } from '../harness/transports.ts'

const POINT = { $id: 'point', type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] }

interface CompilerInput {
  schema: object
}

describeBehind('shared schemas and custom actors', ({ createApp, send, it, expect, ours }) => {
  it('does not give shared schemas to a custom validator', async () => {
    const app = createApp().addSchema(POINT)
    const ajv = new Ajv({ coerceTypes: 'array' })
    app.setValidatorCompiler((route) => ajv.compile(Object(route['schema'])))
    app.post('/', { schema: { body: { $ref: 'point#' } } }, () => 'never')
    await expect(app.ready()).rejects.toThrow('point#')
  })

  it('lets the application add what getSchemas() returns to its own validator', async () => {
    const app = createApp().addSchema(POINT)
    const ajv = new Ajv({ coerceTypes: 'array' })
    for (const schema of Object.values(app.getSchemas())) ajv.addSchema(Object(schema))
    app.setValidatorCompiler((route) => ajv.compile(Object(route['schema'])))
    app.post('/', { schema: { body: { $ref: 'point#' } } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: { x: '4' } })).json()).toEqual({ x: 4 })
    expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(400)
  })

  it('does not give shared schemas to a custom serializer', async () => {
    const app = createApp().addSchema(POINT)
    const seen: unknown[] = []
    app.setSerializerCompiler((route) => {
      seen.push(route['schema'])
      return (data: unknown) => JSON.stringify({ custom: data })
    })
    app.get('/', { schema: { response: { 200: { $ref: 'point#' } } } }, () => ({ x: 1, secret: 2 }))
    expect((await send(app, { path: '/' })).json()).toEqual({ custom: { x: 1, secret: 2 } })
    expect(seen).toContainEqual({ $ref: 'point#' })
  })

  it('keeps a custom compiler in charge when the same context adds a schema', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.setValidatorCompiler(() => () => ({ value: 'from the custom compiler' }))
      child.addSchema(POINT)
      child.post('/', { schema: { body: { type: 'string' } } }, (request) => request.body)
    })
    expect((await send(app, { method: 'POST', path: '/', body: {} })).text).toBe('from the custom compiler')
  })

  ours('the peers fall back to their default in the child')(
    'keeps a custom compiler in charge when a child adds a schema',
    async () => {
      const app = createApp()
      app.setValidatorCompiler(() => () => ({ value: 'from the custom compiler' }))
      app.register(async (child) => {
        child.addSchema(POINT)
        child.post('/', { schema: { body: { type: 'string' } } }, (request) => request.body)
      })
      expect((await send(app, { method: 'POST', path: '/', body: {} })).text).toBe('from the custom compiler')
    },
  )

  it('hands shared schemas to the default validator beside a custom serializer', async () => {
    const app = createApp().addSchema(POINT)
    app.setSerializerCompiler(() => (data: unknown) => JSON.stringify(data))
    app.post('/', { schema: { body: { $ref: 'point#' } } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: { x: '4' } })).json()).toEqual({ x: 4 })
  })
})

describeBehind('the schema controller', ({ createApp, send, it, expect }) => {
  function createBucket(log: string[]): (parent?: Record<string, unknown>) => unknown {
    return (parent) => {
      const store: Record<string, unknown> = { ...parent }
      return {
        add(schema: { $id: string }) {
          log.push(`add ${schema.$id}`)
          store[schema.$id] = schema
          return this
        },
        getSchema: (id: string) => store[id],
        getSchemas: () => ({ ...store }),
      }
    }
  }

  it('keeps shared schemas in the bucket of the application', async () => {
    const log: string[] = []
    const app = createApp({ schemaController: { bucket: createBucket(log) } })
    app.addSchema(POINT)
    expect(app.getSchema('point')).toBe(POINT)
    app.register(async (child) => {
      child.addSchema({ $id: 'below' })
      expect(Object.keys(child.getSchemas())).toEqual(['point', 'below'])
    })
    await app.ready()
    expect(Object.keys(app.getSchemas())).toEqual(['point'])
    expect(log).toEqual(['add point', 'add below'])
  })

  it('resolves a $ref to a schema of the bucket', async () => {
    const app = createApp({ schemaController: { bucket: createBucket([]) } })
    app.addSchema(POINT)
    const schema = { body: { $ref: 'point#' }, response: { 200: { $ref: 'point#' } } }
    app.post('/', { schema }, (request) => ({ x: Object(request.body).x, secret: 1 }))
    expect((await send(app, { method: 'POST', path: '/', body: { x: '3' } })).json()).toEqual({ x: 3 })
    expect((await send(app, { method: 'POST', path: '/', body: {} })).status).toBe(400)
  })

  it('builds validators with the factory of the application', async () => {
    const calls: unknown[] = []
    const customOptions = { coerceTypes: false }
    const app = createApp({
      ajv: { customOptions },
      schemaController: {
        compilersFactory: {
          buildValidator: (shared: object, options: { customOptions?: object }) => {
            calls.push([Object.keys(shared), options.customOptions])
            return ({ schema }: CompilerInput) =>
              (data: unknown) => ({ value: { schema, data } })
          },
        },
      },
    })
    app.addSchema(POINT)
    app.post('/', { schema: { body: { $ref: 'point#' } } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: { a: 1 } })).json()).toEqual({
      schema: { $ref: 'point#' },
      data: { a: 1 },
    })
    expect(calls).toEqual([[['point'], customOptions]])
  })

  it('builds serializers with the factory of the application', async () => {
    const calls: unknown[] = []
    const app = createApp({
      serializerOpts: { rounding: 'ceil' },
      schemaController: {
        compilersFactory: {
          buildSerializer: (shared: object, options: object) => {
            calls.push([Object.keys(shared), options])
            return ({ httpStatus }: { httpStatus: string }) =>
              (data: unknown) =>
                JSON.stringify({ httpStatus, data })
          },
        },
      },
    })
    app.addSchema(POINT)
    app.get('/', { schema: { response: { '2xx': { $ref: 'point#' } } } }, () => ({ a: 1 }))
    expect((await send(app, { path: '/' })).json()).toEqual({ httpStatus: '2xx', data: { a: 1 } })
    expect(calls).toContainEqual([['point'], expect.objectContaining({ rounding: 'ceil' })])
  })

  it('hands on what getSchemas returns as it is', async () => {
    const seen: unknown[] = []
    const bucket = (inherited: unknown) => {
      seen.push(inherited)
      const all = new Map<string, unknown>()
      return {
        add: (schema: { $id: string }) => all.set(schema.$id, schema),
        getSchema: (id: string) => all.get(id),
        getSchemas: () => all,
      }
    }
    const app = createApp({ schemaController: { bucket } })
    app.addSchema(POINT)
    app.register(async (child) => {
      child.addSchema({ $id: 'below' })
    })
    await app.ready()
    expect(seen).toEqual([undefined, new Map([['point', POINT]])])
    expect(app.getSchemas()).toBe(seen[1])
  })

  it('keeps the factories of the context above that a controller does not bring', async () => {
    const buildValidator = () => () => (): unknown => ({ value: 'validated above' })
    const buildSerializer = () => () => (): string => 'serialized below'
    const app = createApp({ schemaController: { compilersFactory: { buildValidator } } })
    const bodies: unknown[] = []
    app.register(async (child) => {
      const set = child['setSchemaController']
      if (typeof set === 'function') Reflect.apply(set, child, [{ compilersFactory: { buildSerializer } }])
      const schema = { body: { type: 'object' }, response: { 200: { type: 'object' } } }
      child.post('/', { schema }, (request) => {
        bodies.push(request.body)
        return { a: 1 }
      })
    })
    expect((await send(app, { method: 'POST', path: '/', body: { a: 1 } })).text).toBe('serialized below')
    expect(bodies).toEqual(['validated above'])
  })

  it('gives a child context a bucket of its own through setSchemaController', async () => {
    const log: string[] = []
    const app = createApp()
    app.addSchema(POINT)
    app.register(async (child) => {
      const set = child['setSchemaController']
      expect(set).toBeTypeOf('function')
      if (typeof set === 'function') Reflect.apply(set, child, [{ bucket: createBucket(log) }])
      child.addSchema({ $id: 'below', type: 'object', properties: { y: { type: 'integer' } } })
      child.post('/', { schema: { body: { $ref: 'below#' } } }, (request) => request.body)
    })
    await app.ready()
    expect(log).toContain('add below')
    expect((await send(app, { method: 'POST', path: '/', body: { y: '3' } })).json()).toEqual({ y: 3 })
    expect(Object.keys(app.getSchemas())).toEqual(['point'])
  })

  it('gives a child context compilers of its own through setSchemaController', async () => {
    const app = createApp()
    app.register(async (child) => {
      const set = child['setSchemaController']
      const buildValidator = () => () => (): unknown => ({ value: 'from the child' })
      if (typeof set === 'function') Reflect.apply(set, child, [{ compilersFactory: { buildValidator } }])
      child.post('/child', { schema: { body: { type: 'object' } } }, (request) => request.body)
    })
    app.post('/root', { schema: { body: { type: 'object' } } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/child', body: { a: 1 } })).text).toBe('from the child')
    expect((await send(app, { method: 'POST', path: '/root', body: { a: 1 } })).json()).toEqual({ a: 1 })
  })
})
