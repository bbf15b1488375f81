// The rest of the instance: what it tells, how it is injected into, what the package exports.
import diagnostics from 'node:diagnostics_channel'
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import { factory, isPeer, subjectName } from '../harness/subject.ts'
import { createGate } from '../harness/time.ts'
import { line4, ours, since5, useApps } from '../harness/transports.ts'

describe('boot: what an instance shows', () => {
  const createApp = useApps()

  it('shows its options, frozen, with the defaults', () => {
    const { initialConfig } = createApp({ bodyLimit: 7, caseSensitive: false, ignoreTrailingSlash: true })
    expect(initialConfig).toMatchObject({ bodyLimit: 7, connectionTimeout: 0, keepAliveTimeout: 72_000 })
    expect(initialConfig).toMatchObject({
      onProtoPoisoning: 'error',
      pluginTimeout: 10_000,
      exposeHeadRoutes: true,
    })
    expect(Object.isFrozen(initialConfig)).toBe(true)
  })

  it('shows whether it serves HTTP/2 where the application said so', () => {
    expect(createApp().initialConfig).not.toHaveProperty('http2')
    expect(createApp({ http2: true }).initialConfig).toMatchObject({ http2: true })
    expect(createApp({ http2: false }).initialConfig).toMatchObject({ http2: false })
  })

  line4('5.x keeps them under routerOptions')('shows the options of the router among the others', () => {
    const { initialConfig } = createApp({
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 33,
    })
    expect(initialConfig).toMatchObject({
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 33,
    })
    expect(initialConfig).toMatchObject({ ignoreDuplicateSlashes: false, allowUnsafeRegex: false })
  })

  it('shows its prefix, and an empty one at the root', async () => {
    const app = createApp()
    let prefix = ''
    app.register(
      async (child) => {
        prefix = child.prefix
      },
      { prefix: '/api' },
    )
    await app.ready()
    expect([app.prefix, prefix]).toEqual(['', '/api'])
  })

  it('shows the server of Node, and no addresses before it listens', async () => {
    const app = createApp()
    expect(app.server.listening).toBe(false)
    expect(app.addresses()).toEqual([])
  })

  it('shows the compilers and handlers that are set', async () => {
    const app = createApp()
    const validator = (): (() => boolean) => () => true
    const serializer = (): (() => string) => () => ''
    app.setValidatorCompiler(validator).setSerializerCompiler(serializer)
    expect([app['validatorCompiler'], app['serializerCompiler']]).toEqual([validator, serializer])
    expect(app['errorHandler']).toBeTypeOf('function')
    expect(app['childLoggerFactory']).toBeTypeOf('function')
  })

  ours('the peers document it, but leave it undefined')(
    'shows the schema error formatter that is set',
    () => {
      const app = createApp()
      app.setSchemaErrorFormatter(() => new Error('x'))
      expect(app['schemaErrorFormatter']).toBeTypeOf('function')
    },
  )

  it('chains its operations', () => {
    const app = createApp()
    expect(app.get('/a', () => 'x')).toBe(app)
    expect(app.addHook('onRequest', async () => undefined)).toBe(app)
    expect(app.decorate('a', 1).decorateRequest('b', 1).decorateReply('c', 1)).toBe(app)
    expect(
      app
        .addSchema({ $id: 'a' })
        .setErrorHandler(() => 'x')
        .setNotFoundHandler(() => 'x'),
    ).toBe(app)
  })

  line4('5.x took it away')('hands raw requests to its router', async () => {
    const app = createApp()
    app.get('/', () => 'routed')
    await app.ready()
    expect(app['routing']).toBeTypeOf('function')
    expect((await app.inject('/')).payload).toBe('routed')
  })
})

describe('boot: injection', () => {
  const createApp = useApps()

  it('takes a path, options, or a callback', async () => {
    const app = createApp()
    app.post('/', (request) => ({ query: request.query, body: request.body, header: request.headers['x-a'] }))
    app.get('/', () => 'got')
    expect((await app.inject('/')).payload).toBe('got')
    const response = await app.inject({
      method: 'POST',
      url: '/',
      query: { a: 'b' },
      payload: { c: 1 },
      headers: { 'X-A': 'd' },
    })
    expect(JSON.parse(response.payload)).toEqual({ query: { a: 'b' }, body: { c: 1 }, header: 'd' })
    const called = createGate<unknown>()
    Reflect.apply(app.inject, app, ['/', (_error: unknown, result: unknown) => called.open(result)])
    expect(await called.promise).toMatchObject({ statusCode: 200, payload: 'got' })
  })

  it('throws at once what is wrong with the options, when there is a callback', async () => {
    const app = createApp()
    await app.listen({ port: 0 })
    expect(() => callMember(app, 'inject', { method: 'NONE', url: '/' }, () => undefined)).toThrow(Error)
  })

  it('chains methods', async () => {
    const app = createApp()
    app.post('/x', (request) => ({
      query: request.query,
      body: request.body,
      cookie: request.headers.cookie,
    }))
    await app.ready()
    const chain: unknown = Reflect.apply(app.inject, app, [])
    interface Chain extends PromiseLike<{ payload: string }> {
      post(path: string): Chain
      query(values: object): Chain
      payload(value: object): Chain
      headers(values: object): Chain
      cookies(values: object): Chain
    }
    const isChain = (value: unknown): value is Chain =>
      typeof value === 'object' && value !== null && 'post' in value
    if (!isChain(chain)) throw new Error('inject() gives no chain')
    const response = await chain.post('/x').query({ a: '1' }).payload({ b: 2 }).cookies({ c: 'd' })
    expect(JSON.parse(response.payload)).toEqual({ query: { a: '1' }, body: { b: 2 }, cookie: 'c=d' })
  })

  it('has json(), body, cookies and the raw pair', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.header('set-cookie', 'a=b; Path=/').send({ x: 1 }))
    const response: unknown = await app.inject('/')
    expect(response).toMatchObject({
      statusMessage: 'OK',
      body: '{"x":1}',
      cookies: [{ name: 'a', value: 'b', path: '/' }],
      raw: { req: expect.anything(), res: expect.anything() },
    })
  })

  it('streams the payload that goes in and comes out', async () => {
    const { Readable } = await import('node:stream')
    const app = createApp()
    app.post('/', (request) => ({ got: request.body }))
    const payload = Readable.from([Buffer.from('{"a":'), Buffer.from('1}')])
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    expect(JSON.parse(response.payload)).toEqual({ got: { a: 1 } })
  })
})

describe('boot: the package', () => {
  it('is callable by its default export and by names', async () => {
    const module: Record<string, unknown> = await import(/* @vite-ignore */ subjectName)
    expect(module['default']).toBeTypeOf('function')
    expect(module[isPeer ? 'fastify' : 'cloister']).toBeTypeOf('function')
    const { errorCodes } = module
    expect(errorCodes).toBeTypeOf('object')
  })

  ours('the name is not theirs to use')(
    "has Fastify's name too, for apps that alias the package",
    async () => {
      const module: Record<string, unknown> = await import(/* @vite-ignore */ subjectName)
      expect(module['fastify']).toBeTypeOf('function')
      expect(Reflect.get(Object(module['default']), 'fastify')).toBeTypeOf('function')
    },
  )

  it('makes errors of its codes that can be distinguished', async () => {
    const module: { errorCodes?: Record<string, new () => Error & { code: string }> } = await import(
      /* @vite-ignore */ subjectName
    )
    const name = isPeer ? 'FST_ERR_NOT_FOUND' : 'CLO_ERR_NOT_FOUND'
    const NotFound = module.errorCodes?.[name]
    if (NotFound === undefined) throw new Error(`${name} is not in errorCodes`)
    const error = new NotFound()
    expect([error instanceof Error, error.code]).toEqual([true, name])
  })

  it('makes errors of its codes without new as well', async () => {
    const module: { errorCodes?: Record<string, () => Error & { code: string }> } = await import(
      /* @vite-ignore */ subjectName
    )
    const name = isPeer ? 'FST_ERR_NOT_FOUND' : 'CLO_ERR_NOT_FOUND'
    expect(module.errorCodes?.[name]?.().code).toBe(name)
  })
})

describe('boot: diagnostics channels', () => {
  const createApp = useApps()
  // Tracing tools of the ecosystem subscribe under the name of the peer, so that name is kept.
  const prefix = 'fastify'

  it('publishes every new app', () => {
    const seen: unknown[] = []
    const listen = (message: unknown): void => void seen.push(message)
    diagnostics.subscribe(`${prefix}.initialization`, listen)
    const app = factory()
    diagnostics.unsubscribe(`${prefix}.initialization`, listen)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ [prefix]: expect.anything() })
    void app.close()
  })

  since5('4.x publishes new apps only')('traces handlers', async () => {
    const app = createApp()
    const events: string[] = []
    const listeners = ['start', 'end', 'asyncStart', 'asyncEnd'].map((event) => {
      const name = `tracing:${prefix}.request.handler:${event}`
      const listen = (message: unknown): void => {
        events.push(event)
        expect(message).toMatchObject({
          request: expect.anything(),
          reply: expect.anything(),
          route: { url: '/:id', method: 'GET' },
        })
      }
      diagnostics.subscribe(name, listen)
      return { name, listen }
    })
    app.get('/:id', async () => 'x')
    await app.inject('/7')
    for (const { name, listen } of listeners) diagnostics.unsubscribe(name, listen)
    expect(events.slice(0, 2)).toEqual(['start', 'end'])
  })
})
