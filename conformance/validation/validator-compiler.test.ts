import { Ajv } from 'ajv'
import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const SCHEMA = { type: 'object', properties: { v: { type: 'integer' } } }

function addRoute(app: App, path = '/:v', options: object = {}): App {
  const schema = { body: SCHEMA, params: SCHEMA, querystring: SCHEMA, headers: SCHEMA }
  return app.post(path, { schema, ...options }, (request) => [
    request.body,
    request.params,
    request.query,
    request.headers['v'],
  ])
}

describeBehind('setValidatorCompiler', ({ createApp, send, it, expect, ours, line4 }) => {
  it('is given schema, method, url and httpPart of each part', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.setValidatorCompiler(({ schema, method, url, httpPart }) => {
      seen.push({ schema, method, url, httpPart })
      return () => true
    })
    app.register(async (child) => addRoute(child), { prefix: '/api' })
    await app.ready()
    expect(seen).toHaveLength(4)
    for (const httpPart of ['headers', 'body', 'querystring', 'params']) {
      expect(seen).toContainEqual({ schema: SCHEMA, method: 'POST', url: '/api/:v', httpPart })
    }
  })

  ours('the peers hand it over as written, and then no header matches')(
    'is given header names in lower case, as Node gives the headers',
    async () => {
      const app = createApp()
      const ajv = new Ajv()
      app.setValidatorCompiler(({ schema }) => ajv.compile(Object(schema)))
      app.get('/', { schema: { headers: { type: 'object', required: ['X-Foo'] } } }, () => 'ran')
      expect((await send(app, { path: '/', headers: { 'X-Foo': 'a' } })).text).toBe('ran')
      expect((await send(app, { path: '/' })).status).toBe(400)
    },
  )

  it('takes an Ajv of the application', async () => {
    const app = createApp()
    const ajv = new Ajv({
      removeAdditional: 'all',
      useDefaults: true,
      coerceTypes: 'array',
      allErrors: false,
    })
    app.setValidatorCompiler(({ schema }) => ajv.compile(Object(schema)))
    app.post('/', { schema: { body: SCHEMA } }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: { v: '1', w: 2 } })).json()).toEqual({ v: 1 })
    const response = await send(app, { method: 'POST', path: '/', body: { v: 'word' } })
    expect(response.json()).toMatchObject({ statusCode: 400, message: 'body/v must be integer' })
  })

  it('can choose settings per part: coercion off for the body alone', async () => {
    const app = createApp()
    const strict = new Ajv({ coerceTypes: false })
    const loose = new Ajv({ coerceTypes: true })
    const compilers = new Map([
      ['body', strict],
      ['params', loose],
      ['querystring', loose],
      ['headers', loose],
    ])
    app.setValidatorCompiler(({ schema, httpPart }) => {
      const ajv = compilers.get(String(httpPart))
      if (ajv === undefined) throw new Error(`Missing compiler for ${String(httpPart)}`)
      return ajv.compile(Object(schema))
    })
    addRoute(app)
    const request = { method: 'POST', path: '/1?v=2', headers: { v: '3' }, body: { v: 4 } }
    expect((await send(app, request)).json()).toEqual([{ v: 4 }, { v: 1 }, { v: 2 }, 3])
    const response = await send(app, { ...request, body: { v: '4' } })
    expect(response.json()).toMatchObject({ message: 'body/v must be integer' })
  })

  it('fails the boot with the plain error that a compiler throws', async () => {
    const app = createApp()
    app.setValidatorCompiler(({ httpPart }) => {
      throw new Error(`Missing compiler for ${String(httpPart)}`)
    })
    addRoute(app)
    await expect(app.ready()).rejects.toThrow(/Missing compiler for \w+/)
  })

  it('holds for the context and its descendants, not for siblings', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.setValidatorCompiler(() => () => ({ value: 'custom' }))
      child.post('/a', { schema: { body: SCHEMA } }, (request) => request.body)
      child.register(async (grandchild) => {
        grandchild.post('/b', { schema: { body: SCHEMA } }, (request) => request.body)
      })
    })
    app.register(async (sibling) => {
      sibling.post('/c', { schema: { body: SCHEMA } }, (request) => request.body)
    })
    const body = { v: '5' }
    expect((await send(app, { method: 'POST', path: '/a', body })).text).toBe('custom')
    expect((await send(app, { method: 'POST', path: '/b', body })).text).toBe('custom')
    expect((await send(app, { method: 'POST', path: '/c', body })).json()).toEqual({ v: 5 })
  })

  it('gives way to the validatorCompiler of a route', async () => {
    const app = createApp()
    app.setValidatorCompiler(() => () => ({ value: 'context' }))
    const validatorCompiler = () => () => ({ value: 'route' })
    app.post('/', { schema: { body: SCHEMA }, validatorCompiler }, (request) => request.body)
    expect((await send(app, { method: 'POST', path: '/', body: {} })).text).toBe('route')
  })

  it('uses the default for other routes when a route brings its own', async () => {
    const app = createApp()
    const validatorCompiler = () => () => true
    app.post('/own', { schema: { body: SCHEMA }, validatorCompiler }, (request) => request.body)
    app.post('/default', { schema: { body: SCHEMA } }, (request) => request.body)
    const body = { v: 'word' }
    expect((await send(app, { method: 'POST', path: '/own', body })).json()).toEqual({ v: 'word' })
    expect((await send(app, { method: 'POST', path: '/default', body })).status).toBe(400)
  })

  it('is given the same input in the validatorCompiler of a route', async () => {
    const app = createApp()
    const seen: unknown[] = []
    const validatorCompiler = (input: Record<string, unknown>) => {
      seen.push([input['httpPart'], input['method'], input['url']])
      return () => true
    }
    app.put('/x/:id', { schema: { body: SCHEMA, params: SCHEMA }, validatorCompiler }, () => 'ran')
    await app.ready()
    expect(seen).toContainEqual(['body', 'PUT', '/x/:id'])
    expect(seen).toContainEqual(['params', 'PUT', '/x/:id'])
  })

  line4('5.x has no shortened form')('is given the shortened form as a full schema', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.setValidatorCompiler(({ schema }) => {
      seen.push(schema)
      return () => true
    })
    app.post('/', { schema: { body: { v: { type: 'integer' } } } }, () => 'ran')
    await app.ready()
    expect(seen).toEqual([SCHEMA])
  })

  it('is exposed as validatorCompiler of the context', async () => {
    const app = createApp()
    const compiler = () => () => true
    app.setValidatorCompiler(compiler)
    expect(app['validatorCompiler']).toBe(compiler)
  })

  ours('the peers fail later')('refuses what is not a function', () => {
    const app = createApp()
    expect(() => Reflect.apply(app.setValidatorCompiler, app, ['ajv'])).toThrow()
  })
})
