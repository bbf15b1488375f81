import { PassThrough, Readable } from 'node:stream'
import fastJsonStringify from 'fast-json-stringify'
import type { App } from '../harness/app-shape.ts'
import { describeBehind } from '../harness/transports.ts'

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } }
const VALUE = { a: 'a', secret: 's' }

const wrapIn =
  (name: string) =>
  (data: unknown): string =>
    JSON.stringify({ [name]: data })

const addRoute = (app: App, path = '/', options: object = {}): App =>
  app.get(path, { schema: { response: { 200: SCHEMA } }, ...options }, () => VALUE)

describeBehind('setSerializerCompiler', ({ createApp, send, it, expect, ours }) => {
  it('is given schema, method, url and httpStatus', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.setSerializerCompiler(({ schema, method, url, httpStatus }) => {
      seen.push({ schema, method, url, httpStatus })
      return wrapIn('custom')
    })
    const schema = { response: { 201: SCHEMA, '4xx': SCHEMA, default: SCHEMA } }
    app.register(
      async (child) => {
        child.post('/x', { schema }, (_request, reply) => reply.code(201).send(VALUE))
      },
      { prefix: '/api' },
    )
    await app.ready()
    for (const httpStatus of ['201', '4xx', 'default']) {
      expect(seen).toContainEqual({ schema: SCHEMA, method: 'POST', url: '/api/x', httpStatus })
    }
    const received = await send(app, { method: 'POST', path: '/api/x' })
    expect(received.json()).toEqual({ custom: VALUE })
    expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('is asked only for routes that have a response schema', async () => {
    const app = createApp()
    let calls = 0
    app.setSerializerCompiler(() => {
      calls += 1
      return wrapIn('custom')
    })
    app.post('/', () => VALUE)
    expect((await send(app, { method: 'POST', path: '/' })).json()).toEqual(VALUE)
    expect(calls).toBe(0)
  })

  it('holds for the context and its descendants, not for siblings', async () => {
    const app = createApp()
    app.register(async (child) => {
      child.setSerializerCompiler(() => wrapIn('custom'))
      addRoute(child, '/child')
      child.register(async (grandchild) => addRoute(grandchild, '/below'))
    })
    app.register(async (sibling) => addRoute(sibling, '/sibling'))
    expect((await send(app, { path: '/child' })).json()).toEqual({ custom: VALUE })
    expect((await send(app, { path: '/below' })).json()).toEqual({ custom: VALUE })
    expect((await send(app, { path: '/sibling' })).json()).toEqual({ a: 'a' })
  })

  it('gives way to the serializerCompiler of a route', async () => {
    const app = createApp()
    app.setSerializerCompiler(() => wrapIn('context'))
    addRoute(app, '/', { serializerCompiler: () => wrapIn('route') })
    addRoute(app, '/other')
    expect((await send(app, { path: '/' })).json()).toEqual({ route: VALUE })
    expect((await send(app, { path: '/other' })).json()).toEqual({ context: VALUE })
  })

  it('hands the same input to the serializerCompiler of a route', async () => {
    const app = createApp()
    const seen: unknown[] = []
    addRoute(app, '/x', {
      serializerCompiler: (input: Record<string, unknown>) => {
        seen.push([input['schema'], input['method'], input['url'], input['httpStatus']])
        return wrapIn('route')
      },
    })
    await app.ready()
    expect(seen).toContainEqual([SCHEMA, 'GET', '/x', '200'])
  })

  it('is exposed as serializerCompiler of the context', () => {
    const app = createApp()
    const compiler = () => wrapIn('custom')
    app.setSerializerCompiler(compiler)
    expect(app['serializerCompiler']).toBe(compiler)
  })

  it('fails the boot with what it throws', async () => {
    const app = createApp()
    app.setSerializerCompiler(() => {
      throw new Error('no such format')
    })
    addRoute(app)
    await expect(app.ready()).rejects.toThrow('no such format')
  })

  it('responds with 500 when its function throws', async () => {
    const app = createApp()
    app.setSerializerCompiler(() => () => {
      throw new Error('cannot print')
    })
    addRoute(app)
    expect((await send(app, { path: '/' })).status).toBe(500)
  })

  it('lets fast-json-stringify be put back in three lines', async () => {
    const app = createApp()
    app.setSerializerCompiler(({ schema }) => {
      return fastJsonStringify(Object(schema))
    })
    addRoute(app)
    expect((await send(app, { path: '/' })).json()).toEqual({ a: 'a' })
  })

  ours('the peers hand over a number of another type')('refuses what is not a function', () => {
    const app = createApp()
    expect(() => Reflect.apply(app.setSerializerCompiler, app, ['json'])).toThrow()
  })
})

describeBehind('reply.serializer and setReplySerializer', ({ createApp, send, it, expect }) => {
  it('serializes one reply', async () => {
    const app = createApp()
    app.get('/', { schema: { response: { 200: SCHEMA } } }, (request, reply) => {
      if (request.query['own'] === '1') reply.type('application/x-own').serializer(wrapIn('own'))
      return reply.send(VALUE)
    })
    const own = await send(app, { path: '/?own=1' })
    expect(own.json()).toEqual({ own: VALUE })
    expect(own.headers['content-type']).toBe('application/x-own')
    expect((await send(app, { path: '/' })).json()).toEqual({ a: 'a' })
  })

  it('may print bytes', async () => {
    const app = createApp()
    app.get('/', (_request, reply) =>
      reply
        .type('application/octet-stream')
        .serializer(() => Buffer.from([1, 2, 3]))
        .send(VALUE),
    )
    expect([...(await send(app, { path: '/' })).bytes]).toEqual([1, 2, 3])
  })

  it('serializes the replies of a context', async () => {
    const app = createApp()
    const statuses: unknown[] = []
    app.register(async (child) => {
      child.setReplySerializer((payload, status) => {
        statuses.push(status)
        return JSON.stringify({ context: payload })
      })
      addRoute(child, '/child')
      child.get('/created', (_request, reply) => reply.code(201).send(VALUE))
      child.register(async (grandchild) => addRoute(grandchild, '/below'))
    })
    addRoute(app, '/root')
    expect((await send(app, { path: '/child' })).json()).toEqual({ context: VALUE })
    expect((await send(app, { path: '/below' })).json()).toEqual({ context: VALUE })
    expect((await send(app, { path: '/created' })).json()).toEqual({ context: VALUE })
    expect((await send(app, { path: '/root' })).json()).toEqual({ a: 'a' })
    expect(statuses).toEqual([200, 200, 201])
  })

  it('has no content type beside reply.serializer, which knows its own', async () => {
    const app = createApp()
    const seen: unknown[] = []
    app.addHook('onSend', async (_request, reply) => void seen.push(reply.getHeader('content-type')))
    app.get('/', (_request, reply) => reply.serializer(() => 'packed').send({ a: 1 }))
    app.get('/typed', (_request, reply) =>
      reply
        .type('text/own')
        .serializer(() => 'packed')
        .send({ a: 1 }),
    )
    expect((await send(app, { path: '/' })).text).toBe('packed')
    expect((await send(app, { path: '/typed' })).text).toBe('packed')
    expect(seen).toEqual([undefined, 'text/own'])
  })

  it('gives way to reply.serializer, and comes before compiled serializers', async () => {
    const app = createApp()
    app.setReplySerializer(wrapIn('context'))
    app.get('/reply', { schema: { response: { 200: SCHEMA } } }, (_request, reply) =>
      reply.serializer(wrapIn('reply')).send(VALUE),
    )
    addRoute(app, '/route', { serializerCompiler: () => wrapIn('route') })
    expect((await send(app, { path: '/reply' })).json()).toEqual({ reply: VALUE })
    expect((await send(app, { path: '/route' })).json()).toEqual({ context: VALUE })
  })

  it('is for the payloads of routes: a response that no route sends is serialized as usual', async () => {
    const app = createApp()
    app.setReplySerializer(wrapIn('context'))
    addRoute(app, '/route')
    app.register(
      async (child) => child.setNotFoundHandler((_request, reply) => reply.code(404).send({ own: true })),
      { prefix: '/own' },
    )
    expect((await send(app, { path: '/route' })).json()).toEqual({ context: VALUE })
    expect((await send(app, { path: '/none' })).json()).toMatchObject({ statusCode: 404 })
    expect((await send(app, { path: '/own/none' })).json()).toEqual({ own: true })
  })

  it('does not change text and streams', async () => {
    const app = createApp()
    app.setReplySerializer(wrapIn('context'))
    app.get('/text', () => 'text')
    app.get('/stream', (_request, reply) => reply.send(Readable.from(['a', 'b']).pipe(new PassThrough())))
    expect((await send(app, { path: '/text' })).text).toBe('text')
    expect((await send(app, { path: '/stream' })).text).toBe('ab')
  })
})

describeBehind('serializerOpts', ({ createApp, send, it, expect }) => {
  for (const [rounding, printed] of [
    ['trunc', 4],
    ['ceil', 5],
    ['floor', 4],
    ['round', 5],
  ] as const) {
    it(`rounds to an integer by ${rounding}`, async () => {
      const app = createApp({ serializerOpts: { rounding } })
      const response = { 200: { type: 'object', properties: { n: { type: 'integer' } } } }
      app.get('/', { schema: { response } }, () => ({ n: 4.6 }))
      expect((await send(app, { path: '/' })).json()).toEqual({ n: printed })
    })
  }

  it('prints large arrays by the mechanism of its options', async () => {
    const app = createApp({ serializerOpts: { largeArraySize: 2, largeArrayMechanism: 'json-stringify' } })
    const items = { type: 'object', properties: { n: { type: 'integer' } } }
    app.get('/', { schema: { response: { 200: { type: 'array', items } } } }, () => [
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ])
    expect((await send(app, { path: '/' })).json()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  })
})
