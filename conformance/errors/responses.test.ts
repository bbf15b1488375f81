// What error responses have in them: statuses, codes, and the response of last resort.
import { Readable } from 'node:stream'
import { afterEach, vi } from 'vitest'
import type { Reply, Request } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { tick, watchTimers } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

const throwing =
  (fields: object, message = 'broken') =>
  (): never => {
    throw Object.assign(new Error(message), fields)
  }

describeTransports('error responses: statuses and codes', ({ createApp, send, it, ours, expect }) => {
  it('have the status of the error, from 400 on', async () => {
    const app = createApp()
    for (const status of [400, 499, 599]) app.get(`/${status}`, throwing({ statusCode: status }))
    for (const status of [400, 499, 599])
      expect((await send(app, { path: `/${status}` })).status).toBe(status)
  })

  ours('4.x and 5.x send what they are given, or fail')('have 500 for a status of no error', async () => {
    const app = createApp()
    const others = [0, 399, 600, 404.5, Number.NaN, '4e2', '399', null, true, {}]
    for (const [index, statusCode] of others.entries()) app.get(`/${index}`, throwing({ statusCode }))
    for (const index of others.keys()) expect((await send(app, { path: `/${index}` })).status).toBe(500)
  })

  it('have the status of an Error that is a text', async () => {
    const app = createApp()
    app.get('/code', throwing({ statusCode: '404' }))
    app.get('/status', throwing({ status: '503' }))
    const statuses = [await send(app, { path: '/code' }), await send(app, { path: '/status' })]
    expect(statuses.map(({ status }) => status)).toEqual([404, 503])
  })

  it('have a number that is the code of the error as text', async () => {
    const app = createApp()
    for (const code of [0, 11_000]) app.get(`/${code}`, throwing({ code }))
    for (const code of [0, 11_000]) {
      expect((await send(app, { path: `/${code}` })).json()).toMatchObject({ code: String(code) })
    }
  })

  it('have it as a number where the schema of the response says so', async () => {
    const app = createApp()
    const response = { 500: { type: 'object', properties: { code: { type: 'integer' } } } }
    app.get('/', { schema: { response } }, throwing({ code: 11_000 }))
    expect((await send(app, { path: '/' })).json()).toEqual({ code: 11_000 })
  })

  it('have members of the error that the schema declares, and no others where it is open', async () => {
    const app = createApp()
    const own: Record<string, unknown> = { statusCode: 409, detail: 'taken', secret: 'of a driver' }
    own['request'] = own
    const properties = { message: { type: 'string' }, detail: { type: 'string' } }
    const schemas = [
      { type: 'object', properties, additionalProperties: true },
      { type: 'object', properties, patternProperties: { '.': {} } },
      {},
    ]
    for (const [index, schema] of schemas.entries()) {
      app.get(`/${index}`, { schema: { response: { '4xx': schema } } }, throwing(own, 'in use'))
    }
    for (const index of schemas.keys()) {
      const response = await send(app, { path: `/${index}` })
      expect(response.status).toBe(409)
      expect(response.text).not.toContain('of a driver')
      if (index < 2) expect(response.json()).toMatchObject({ message: 'in use', detail: 'taken' })
    }
  })

  ours('4.x and 5.x give it the Error itself')(
    'give it as a number to a serializer of the application',
    async () => {
      const app = createApp()
      const options = { schema: { response: { 500: {} } }, serializerCompiler: () => JSON.stringify }
      app.get('/', options, throwing({ code: 11_000 }))
      expect((await send(app, { path: '/' })).json()).toMatchObject({ code: 11_000 })
    },
  )

  ours('4.x and 5.x write whatever it is')('omit a code that is neither text nor number', async () => {
    const app = createApp()
    app.get('/', throwing({ code: { of: 'mine' } }))
    expect((await send(app, { path: '/' })).json()).not.toHaveProperty('code')
  })

  ours('4.x and 5.x hide nothing')('hide the code of an unexpected error with its message', async () => {
    const app = createApp({ exposeErrors: false })
    const response = { 501: { type: 'object', properties: { code: { type: 'integer' } } } }
    app.get('/', throwing({ code: 11_000 }, 'secret'))
    app.get('/schema', { schema: { response } }, throwing({ code: 11_000, statusCode: 501 }, 'secret'))
    expect((await send(app, { path: '/' })).json()).toEqual({
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'Internal Server Error',
    })
    expect((await send(app, { path: '/schema' })).json()).toEqual({})
  })

  ours('4.x has no handlerTimeout')('say with exposeErrors: false what took too long', async () => {
    const app = createApp({ exposeErrors: false, handlerTimeout: 20 })
    app.get('/', () => new Promise(() => {}))
    const received = await send(app, { path: '/' })
    expect([received.status, received.json()]).toMatchObject([
      503,
      { code: 'CLO_ERR_HANDLER_TIMEOUT', message: expect.stringContaining('GET /') },
    ])
  })
})

describeTransports('error responses: of last resort', ({ createApp, send, ours, expect }) => {
  const REASON = '4.x and 5.x log another line, or end the connection'

  ours(REASON)('are JSON without hooks and schemas of the application, and keep its headers', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.addHook('onSend', async (_request, reply) => {
      reply.type('text/html').header('x-own', 'yes')
      throw Object.assign(new Error('onSend fails'), { statusCode: 503 })
    })
    const response = { 503: { type: 'object', properties: { other: { type: 'string' } } } }
    app.get('/', { schema: { response } }, () => 'x')
    const received = await send(app, { path: '/' })
    expect([received.status, received.json()]).toEqual([
      503,
      { statusCode: 503, error: 'Service Unavailable', message: 'onSend fails' },
    ])
    expect(received.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(received.headers['x-own']).toBe('yes')
    const logged = sink.lines.filter(({ level, err }) => Number(level) >= 40 && err !== undefined)
    expect(logged.length).toBeGreaterThanOrEqual(2)
  })

  ours(REASON)('name both errors where the schema cannot write the first', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.setSerializerCompiler(() => () => {
      throw new Error('cannot write')
    })
    app.get('/', { schema: { response: { 409: {} } } }, throwing({ statusCode: 409 }, 'the first'))
    const received = await send(app, { path: '/' })
    expect(received.status).toBe(500)
    for (const text of ['cannot write', 'the first']) {
      expect(Object(received.json()).message).toContain(text)
    }
    const [line] = sink.lines.filter(({ statusCode }) => statusCode === 409)
    expect(line).toMatchObject({ level: 50, err: { code: 'CLO_ERR_FAILED_ERROR_SERIALIZATION' } })
  })
})

describeTransports('error handlers and onError', ({ createApp, send, it, ours, expect }) => {
  ours('4.x and 5.x run onError before the reply, for each error')(
    'runs onError once for a request, whatever its error handlers throw',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      const seen: unknown[] = []
      app.addHook('onError', (_request, _reply, error, done) => {
        seen.push(error.message)
        done()
      })
      app.setErrorHandler(() => {
        throw new Error('second')
      })
      app.get('/', throwing({}, 'first'))
      expect((await send(app, { path: '/' })).json()).toMatchObject({ message: 'second' })
      expect(seen).toEqual(['first'])
      expect(sink.lines.filter(({ msg }) => msg === 'onError hook failed')).toEqual([])
    },
  )

  it('takes an error handler that lists its arguments', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.setErrorHandler((...args) => void args[2].code(418).send('handled'))
    app.get('/', throwing({}))
    const received = await send(app, { path: '/' })
    expect([received.status, received.text]).toEqual([418, 'handled'])
    expect(sink.lines.filter(({ level }) => level === 40)).toEqual([])
  })

  ours('4.x and 5.x log nothing')('logs the error that a silent error handler passes on', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.setErrorHandler(async () => undefined)
    app.get('/', throwing({}, 'passed on'))
    expect((await send(app, { path: '/' })).json()).toMatchObject({ message: 'passed on' })
    const line = await sink.line(/^an error handler returned nothing/)
    expect(line).toMatchObject({ level: 40, err: { message: 'passed on' } })
  })
})

describeTransports('errors of the router', ({ createApp, send, ours, unlessFetch, expect }) => {
  const REASON = 'the platform makes another path of it'

  unlessFetch(REASON, ours('4.x and 5.x give it no query'))(
    'give frameworkErrors a request with its query',
    async () => {
      const frameworkErrors = (_error: unknown, request: Request, reply: Reply): void => {
        reply.code(400).send({ query: request.query })
      }
      const app = createApp({ frameworkErrors })
      app.get('/:id', () => 'x')
      expect((await send(app, { path: '/%zz?a=1&b=2' })).json()).toEqual({ query: { a: '1', b: '2' } })
      expect((await send(app, { path: '/%zz' })).json()).toEqual({ query: {} })
    },
  )

  unlessFetch(REASON, ours('4.x and 5.x log the end alone'))(
    'are logged as requests, each with an id of its own',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/:id', () => 'x')
      for (const path of ['/a', '/%zz', '/%zz', '/b']) await send(app, { path })
      const idsOf = (message: string): unknown[] =>
        sink.lines.filter(({ msg }) => msg === message).map(({ reqId }) => reqId)
      expect(new Set(idsOf('incoming request')).size).toBe(4)
      expect(new Set(idsOf('request completed'))).toEqual(new Set(idsOf('incoming request')))
    },
  )

  unlessFetch(REASON, ours('in 4.x and 5.x it ends the process'))(
    'get what frameworkErrors throws',
    async () => {
      const frameworkErrors = (): never => throwing({ statusCode: 418 }, 'of its own')()
      const app = createApp({ frameworkErrors })
      app.get('/:id', () => 'x')
      const received = await send(app, { path: '/%zz' })
      expect([received.status, received.json()]).toMatchObject([418, { message: 'of its own' }])
    },
  )
})

describeTransports(
  'error handlers that have sent a response',
  ({ createApp, it, ours, expect }) => {
    afterEach(() => {
      vi.useRealTimers()
      vi.restoreAllMocks()
    })

    it('through the raw response are done', async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.setErrorHandler(async (_error, request, reply) => {
        if (request.url === '/whole') {
          reply.raw.end('whole')
          return
        }
        reply.raw.write('in ')
        setImmediate(() => reply.raw.end('parts'))
      })
      for (const path of ['/whole', '/parts']) app.get(path, throwing({}))
      expect((await app.inject('/whole')).payload).toBe('whole')
      expect((await app.inject('/parts')).payload).toBe('in parts')
      expect(sink.lines.filter(({ level }) => level === 40)).toEqual([])
    })

    ours('4.x and 5.x have no such warning')('are not called silent while they send a stream', async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      const stream = new Readable({ read() {} })
      app.setErrorHandler((_error, _request, reply) => {
        setImmediate(() => reply.code(503).send(stream))
      })
      app.get('/', throwing({}))
      await app.ready()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const pending = app.inject('/')
      for (let turn = 0; turn < 10; turn++) await tick()
      vi.advanceTimersByTime(20_000)
      stream.push(null)
      expect((await pending).statusCode).toBe(503)
      expect(sink.lines.filter(({ level }) => level === 40)).toEqual([])
    })

    ours('4.x and 5.x have no such warning')('have no timer after the end of the response', async () => {
      const app = createApp()
      app.setErrorHandler((_error, _request, reply) => {
        setImmediate(() => reply.send('x'))
      })
      app.get('/', throwing({}))
      await app.ready()
      const timers = watchTimers(10_000)
      await app.inject('/')
      expect([timers.started(), timers.running()]).toEqual([1, 0])
    })
  },
  ['in-process'],
)
