// The options that `strict` sets, one by one.
import type { CloisterReply, CloisterRequest } from 'cloister'
import { describeBehind } from '../harness/transports.ts'

const text = { type: 'string' }
const closed = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
})
const named = { type: 'object', properties: { name: text } }
const USER = { name: 'Ada', password: 'secret' }
const REASON = 'an option that the peers do not have'

describeBehind('unionRemoval', ({ createApp, send, expect, ours }) => {
  const body = { anyOf: [closed({ a: text }), closed({ b: text })] }
  const post = { method: 'POST', path: '/', body: { b: 'x', c: 'y' } }

  for (const coerceJsonBodies of [true, false]) {
    ours(REASON)(
      `'branch' keeps what a matching branch declares (coercion ${coerceJsonBodies})`,
      async () => {
        const app = createApp({ unionRemoval: 'branch', coerceJsonBodies })
        app.post('/', { schema: { body } }, (request) => ({ got: request.body }))
        expect((await send(app, post)).json()).toEqual({ got: { b: 'x' } })
      },
    )
  }

  ours(REASON)("'branch' accepts a valid oneOf whose branches are closed", async () => {
    const kind = (name: string, property: string): object =>
      closed({ kind: { const: name }, [property]: text }, ['kind', property])
    const app = createApp({ unionRemoval: 'branch' })
    app.post(
      '/',
      { schema: { body: { oneOf: [kind('A', 'a'), kind('B', 'b')] } } },
      (request) => request.body,
    )
    const received = await send(app, { ...post, body: { kind: 'B', b: 'x', a: 'z' } })
    expect(received.json()).toEqual({ kind: 'B', b: 'x' })
  })
})

describeBehind('undeclaredStatuses', ({ createApp, send, expect, ours }) => {
  const route = (status: number, payload: unknown): Parameters<ReturnType<typeof createApp>['get']>[1] => ({
    schema: { response: { 200: named } },
    handler: (_request, reply) => reply.code(status).send(payload),
  })

  ours(REASON)("'error' refuses content with a status that no schema declares", async () => {
    const app = createApp({ undeclaredStatuses: 'error' })
    app.get('/', route(201, USER)).get('/text', route(201, 'secret'))
    for (const path of ['/', '/text']) {
      const received = await send(app, { path })
      expect(received.status).toBe(500)
      expect(received.text).not.toContain('secret')
      expect(received.json()).toMatchObject({
        code: 'CLO_ERR_REP_STATUS_UNDECLARED',
        message: expect.stringContaining(`GET ${path}`),
      })
    }
  })

  ours(REASON)("'error' refuses content with a media type that the content map does not have", async () => {
    const app = createApp({ undeclaredStatuses: 'error' })
    const json = {
      content: { 'application/json': { schema: named }, 'text/plain': { schema: { type: 'string' } } },
    }
    const schema = { response: { 200: json, 201: named, 202: { content: { '*/*': { schema: named } } } } }
    app.get('/:status', { schema }, (request, reply) => {
      const { type, kind } = request.query
      if (type !== undefined) reply.type(String(type))
      reply.code(Number(request.params['status']))
      const payload = kind === 'text' ? 'secret' : USER
      return kind === 'web'
        ? new Response('{"secret":1}', { headers: { 'content-type': String(type) } })
        : payload
    })
    const ask = async (path: string): Promise<unknown> => {
      const received = await send(app, { path })
      if (received.status === 500) expect(received.text).not.toContain('secret')
      return received.status === 500 ? Object(received.json()).code : received.status
    }
    const undeclared = 'CLO_ERR_REP_MEDIA_TYPE_UNDECLARED'
    expect(await ask('/200')).toBe(200)
    expect(await ask('/200?kind=text')).toBe(200)
    expect(await ask('/200?kind=web&type=application/json')).toBe(200)
    expect(await ask('/200?type=application/vnd.api%2Bjson')).toBe(undeclared)
    expect(await ask('/200?kind=text&type=text/html')).toBe(undeclared)
    expect(await ask('/200?kind=web&type=text/html')).toBe(undeclared)
    expect(await ask('/201?type=application/vnd.api%2Bjson')).toBe(201)
    expect(await ask('/202?type=application/vnd.api%2Bjson')).toBe(202)
  })

  ours(REASON)("'error' refuses a Response of the web platform with an undeclared status", async () => {
    const app = createApp({ undeclaredStatuses: 'error' })
    const schema = { response: { 200: named } }
    app.get('/', { schema }, () => Response.json({ secret: 1 }, { status: 201 }))
    app.get('/empty', { schema }, () => new Response(null, { status: 204 }))
    expect((await send(app, { path: '/' })).json()).toMatchObject({ code: 'CLO_ERR_REP_STATUS_UNDECLARED' })
    expect((await send(app, { path: '/empty' })).status).toBe(204)
  })

  ours(REASON)(
    "'error' does not affect declared statuses, empty responses and routes without schemas",
    async () => {
      const app = createApp({ undeclaredStatuses: 'error' })
      app.get('/', route(200, USER)).get('/empty', route(204, undefined))
      app.get('/class', { ...Object(route(201, USER)), schema: { response: { '2xx': named } } })
      app.get('/default', { ...Object(route(404, USER)), schema: { response: { default: named } } })
      app.get('/none', (_request, reply) => reply.code(201).send(USER))
      app.get('/moved', { schema: { response: { 200: named } } }, (_request, reply) => reply.redirect('/'))
      const statuses = ['/', '/empty', '/class', '/default', '/none', '/moved'].map(async (path) => {
        const { status } = await send(app, { path })
        return status
      })
      expect(await Promise.all(statuses)).toEqual([200, 204, 201, 404, 201, 302])
    },
  )

  ours(REASON)("'error' does not affect what error handlers and not-found handlers send", async () => {
    const app = createApp({ undeclaredStatuses: 'error' })
    app.setErrorHandler((_error, _request, reply) => reply.code(418).send({ teapot: true }))
    app.get('/throws', {
      schema: { response: { 200: named } },
      handler: () => {
        throw new Error('no')
      },
    })
    app.get('/lost', { schema: { response: { 200: named } } }, (_request, reply) => reply.callNotFound())
    expect((await send(app, { path: '/throws' })).json()).toEqual({ teapot: true })
    expect((await send(app, { path: '/lost' })).status).toBe(404)
  })

  ours(REASON)("'error' checks what the handler sends, not what hooks send before it", async () => {
    const app = createApp({ undeclaredStatuses: 'error' })
    const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler']
    const refuse = async (request: CloisterRequest, reply: CloisterReply): Promise<unknown> =>
      request.headers['x-key'] === undefined ? reply.code(401).send({ error: 'no key' }) : undefined
    for (const name of hooks) app.get(`/${name}`, { ...Object(route(201, USER)), [name]: refuse })
    for (const name of hooks) {
      const received = await send(app, { path: `/${name}` })
      expect([received.status, received.json()]).toEqual([401, { error: 'no key' }])
      expect((await send(app, { path: `/${name}`, headers: { 'x-key': '1' } })).status).toBe(500)
    }
  })

  ours(REASON)('a route sets its own: sent, or sent with a warning', async () => {
    const lines: string[] = []
    const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
    const app = createApp({ undeclaredStatuses: 'error', logger })
    app.get('/sent', { ...Object(route(201, USER)), undeclaredStatuses: 'send' })
    app.get('/logged', { ...Object(route(201, USER)), undeclaredStatuses: 'log' })
    expect((await send(app, { path: '/sent' })).json()).toEqual(USER)
    expect(lines).toEqual([])
    expect((await send(app, { path: '/logged' })).json()).toEqual(USER)
    expect(lines.join('')).toContain('GET /logged has the status 201')
  })

  ours(REASON)('a route with another word is refused', () => {
    const app = createApp()
    expect(() => app.get('/', { ...Object(route(200, USER)), undeclaredStatuses: 'never' })).toThrow(
      /'undeclaredStatuses' must be one of "send", "log", "error", got "never"/,
    )
  })
})

describeBehind('validationErrorLimit', ({ createApp, send, expect, ours }) => {
  const body = { type: 'object', required: ['a', 'b', 'c'] }

  for (const coerceJsonBodies of [true, false]) {
    ours(REASON)(`lists violations up to the limit (coercion ${coerceJsonBodies})`, async () => {
      const app = createApp({ validationErrorLimit: 2, coerceJsonBodies })
      app.post('/', { schema: { body } }, () => 'never')
      const received = await send(app, { method: 'POST', path: '/', body: {} })
      expect(received.json()).toMatchObject({
        message: "body must have required property 'a', body must have required property 'b'",
      })
    })
  }
})

describeBehind(
  'requireSchemas and unknownRouteOptions',
  ({ createApp, send, expect, ours }) => {
    const full = { params: named, querystring: named, response: { 200: named } }

    ours(REASON)('requireSchemas refuses the start, and lists every schema that is missing', async () => {
      const app = createApp({ requireSchemas: true })
      app.get('/:name', { schema: { ...full, params: undefined } }, () => USER)
      app.post('/', () => USER)
      await expect(app.ready()).rejects.toMatchObject({
        code: 'CLO_ERR_SCH_REQUIRED',
        message: expect.stringMatching(
          /GET \/:name lacks params \(at .*options\.test\.ts:\d+\S*\); POST \/ lacks querystring, body, response \(at .*options\.test\.ts/,
        ),
      })
    })

    ours(REASON)('requireSchemas accepts routes with their schemas, and exceptions by route', async () => {
      const app = createApp({ requireSchemas: true })
      app.get('/:name', { schema: full }, () => USER)
      app.post('/', { requireSchemas: false }, () => USER)
      app.put('/', { requireSchemas: ['body'], schema: { body: named } }, () => USER)
      expect((await send(app, { path: '/x' })).json()).toEqual({ name: 'Ada' })
    })

    ours(REASON)('requireSchemas of a route must be a boolean or parts', async () => {
      const app = createApp()
      expect(() => app.get('/', { requireSchemas: ['headers'] }, () => USER)).toThrow(
        /'requireSchemas' must be a boolean or an array of "params"/,
      )
    })

    ours(REASON)("unknownRouteOptions: 'refuse' refuses them, a list admits those of plugins", async () => {
      const strict = createApp({ unknownRouteOptions: 'refuse' })
      expect(() => strict.get('/', { websocket: true }, () => 'x')).toThrow(
        /GET:\/ has an unknown option 'websocket'; if a plugin reads it/,
      )
      const listed = createApp({ unknownRouteOptions: ['websocket'] })
      listed.get('/', { websocket: true }, () => 'x')
      expect(() => listed.get('/b', { rateLimit: 1 }, () => 'x')).toThrow(/'rateLimit'/)
      expect((await send(listed, { path: '/' })).text).toBe('x')
    })

    ours(REASON)(
      'unknownRouteOptions admits routes that onRoute hooks define with what they were given',
      async () => {
        const app = createApp({ unknownRouteOptions: 'refuse' })
        app.addHook('onRoute', (options) => {
          if (options.url === '/a') app.route({ ...options, handler: () => 'copy', url: '/copy' })
        })
        app.get('/a', () => 'a')
        expect((await send(app, { path: '/copy' })).text).toBe('copy')
      },
    )
  },
  ['in-process'],
)

describeBehind('the headers of a response, beside its schema', ({ createApp, send, expect, ours }) => {
  for (const strict of [false, true]) {
    ours(REASON)(`are for documents alone (strict ${strict})`, async () => {
      const app = createApp({ strict })
      const headers = { etag: { type: 'string', description: 'its version' } }
      const response = { 200: { ...named, headers }, 404: { $ref: 'problem#', headers } }
      app.addSchema({ $id: 'problem', type: 'object', properties: { message: text } })
      app.get('/', { schema: { response } }, () => USER)
      expect((await send(app, { path: '/' })).json()).toEqual({ name: 'Ada' })
    })
  }
})
