// The log of an app and of its requests.
import { describe, expect, it } from 'vitest'
import { code, subjectName } from '../harness/subject.ts'
import { createLogSink } from '../harness/log-lines.ts'
import type { LogSink } from '../harness/log-lines.ts'
import type { App, Log } from '../harness/app-shape.ts'
import { describeTransports, line4, since5, useApps } from '../harness/transports.ts'

const INFO = 30
const ERROR = 50

describeTransports('logging: lines of a request', ({ createApp, send, it, ours, since5: from5, expect }) => {
  const logged = (
    options: Record<string, unknown> = {},
    logger: Record<string, unknown> = {},
  ): [App, LogSink] => {
    const sink = createLogSink()
    return [createApp({ ...options, logger: { level: 'trace', stream: sink.stream, ...logger } }), sink]
  }

  it('logs that a request came and that it was completed, with one id', async () => {
    const [app, sink] = logged()
    app.get('/', (request) => ({ id: request.id }))
    const response = await send(app, { path: '/' })
    const incoming = await sink.line('incoming request')
    const completed = await sink.line('request completed')
    expect(incoming).toMatchObject({ level: INFO, req: { method: 'GET', url: '/' } })
    expect(completed).toMatchObject({ level: INFO, res: { statusCode: 200 } })
    expect(completed['responseTime']).toBeTypeOf('number')
    expect([incoming['reqId'], completed['reqId']]).toEqual([incoming['reqId'], incoming['reqId']])
    expect(response.json()).toEqual({ id: incoming['reqId'] })
  })

  ours('in 4.x and 5.x it decides about responses, or ends the process')(
    'responds as if it had no log when a logger throws, and warns of it once',
    async () => {
      const warnings: string[] = []
      const note = (warning: Error): void => void warnings.push(warning.message)
      const fail = (): never => {
        throw new Error('the log is broken')
      }
      const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
      const loggerInstance: Record<string, unknown> = {
        level: 'info',
        ...Object.fromEntries(levels.map((level) => [level, fail])),
      }
      loggerInstance['child'] = () => loggerInstance
      const app = createApp({ loggerInstance })
      app.addHook('onResponse', async () => {
        throw new Error('the hook failed')
      })
      const params = { type: 'object', properties: { id: { type: 'integer' } } }
      app.get('/:id', { schema: { params } }, (request) => request.params)
      app.get('/fails', () => {
        throw Object.assign(new Error('on purpose'), { statusCode: 418 })
      })
      app.get('/twice', (_request, reply) => reply.send('first').send('second'))
      await app.ready()
      process.on('warning', note)
      const statuses: number[] = []
      for (const path of ['/7', '/x', '/fails', '/twice', '/no/where'])
        statuses.push((await send(app, { path })).status)
      await new Promise((resolve) => setImmediate(resolve))
      process.off('warning', note)
      expect(statuses).toEqual([200, 400, 418, 200, 404])
      expect(warnings.filter((message) => message.includes('the log is broken'))).toHaveLength(1)
    },
  )

  it('logs the address of the client', async () => {
    const [app, sink] = logged()
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    const line = await sink.line('incoming request')
    expect(line).toMatchObject({ req: { remoteAddress: '127.0.0.1' } })
  })

  it('logs the host that the client named, with its port', async () => {
    const [app, sink] = logged()
    app.get('/', () => 'x')
    await send(app, { path: '/', headers: { host: 'shop.example:8080' } })
    const line = await sink.line('incoming request')
    expect(Object(line['req'])[subjectName === 'fastify4' ? 'hostname' : 'host']).toBe('shop.example:8080')
  })

  it('logs errors with the messages of their causes and the members of their class', async () => {
    class Refusal extends Error {
      readonly statusCode = 409
    }
    Object.defineProperty(Refusal.prototype, 'expose', { value: true, enumerable: true })
    const [app, sink] = logged()
    app.get('/', (request) => {
      const cause = new Error('inner', { cause: new RangeError('innermost') })
      request.log.error({ err: Object.assign(new Refusal('outer', { cause }), { detail: 7 }) }, 'caused')
      request.log.error(
        { err: new AggregateError([new Error('one'), new TypeError('two')], 'many') },
        'gathered',
      )
      request.log.error({ err: { message: 'error-like', name: 'Foreign', code: 'E_FOREIGN' } }, 'foreign')
      request.log.error({ err: 'no error at all' }, 'text')
      return 'x'
    })
    await send(app, { path: '/' })
    expect(await sink.line('caused')).toMatchObject({
      err: {
        type: 'Refusal',
        message: 'outer: inner: innermost',
        stack: expect.stringMatching(/outer[^]*caused by: Error: inner[^]*caused by: RangeError: innermost/),
        statusCode: 409,
        expose: true,
        detail: 7,
      },
    })
    expect(await sink.line('gathered')).toMatchObject({
      err: { message: 'many', aggregateErrors: [{ message: 'one' }, { type: 'TypeError', message: 'two' }] },
    })
    expect(await sink.line('foreign')).toMatchObject({ err: { message: 'error-like', code: 'E_FOREIGN' } })
    expect(await sink.line('text')).toMatchObject({ err: 'no error at all' })
  })

  ours('the peers write the cause into message and stack alone')(
    'logs causes by themselves too',
    async () => {
      const [app, sink] = logged()
      app.get('/', (request) => {
        const cause = Object.assign(new Error('inner'), { code: 'E_INNER' })
        request.log.error({ err: new Error('outer', { cause }) }, 'caused')
        throw new Error('with a text', { cause: 'the text' })
      })
      await send(app, { path: '/' })
      expect(await sink.line('caused')).toMatchObject({
        err: { cause: { message: 'inner', code: 'E_INNER' } },
      })
      expect(await sink.line('with a text')).toMatchObject({ err: { cause: 'the text' } })
    },
  )

  ours('in the peers it would not end')('logs errors that cause each other', async () => {
    const [app, sink] = logged()
    app.get('/', (request) => {
      const first = new Error('first')
      const second = new Error('second', { cause: first })
      first.cause = second
      request.log.error({ err: first }, 'in circles')
      return 'x'
    })
    await send(app, { path: '/' })
    expect(await sink.line('in circles')).toMatchObject({ err: { message: 'first: second' } })
  })

  it('binds the id to the lines that a handler logs', async () => {
    const [app, sink] = logged()
    app.get('/', (request) => {
      request.log.info({ user: 'ann' }, 'from handler')
      return 'x'
    })
    await send(app, { path: '/' })
    const incoming = await sink.line('incoming request')
    expect(await sink.line('from handler')).toMatchObject({ user: 'ann', reqId: incoming['reqId'] })
  })

  it('logs an error of the server as an error, and one of the client as information', async () => {
    const [app, sink] = logged()
    app.get('/500', () => {
      throw new Error('server broke')
    })
    app.get('/400', () => {
      throw Object.assign(new Error('client erred'), { statusCode: 400 })
    })
    await send(app, { path: '/500' })
    await send(app, { path: '/400' })
    const serverLine = await sink.line('server broke')
    expect(serverLine).toMatchObject({ level: ERROR, err: { type: 'Error', message: 'server broke' } })
    expect(await sink.line('client erred')).toMatchObject({ level: INFO })
  })

  it('logs a route that is not found', async () => {
    const [app, sink] = logged()
    await send(app, { path: '/nowhere' })
    expect(await sink.line('Route GET:/nowhere not found')).toMatchObject({ level: INFO })
  })

  it('logs no requests with disableRequestLogging, and errors still', async () => {
    const [app, sink] = logged({ disableRequestLogging: true })
    app.get('/', (request) => {
      request.log.info('by hand')
      return 'x'
    })
    await send(app, { path: '/' })
    await sink.line('by hand')
    expect(sink.lines.map((line) => line['msg'])).not.toContain('incoming request')
    expect(sink.lines.map((line) => line['msg'])).not.toContain('request completed')
  })

  it('uses the level of a route and of a context', async () => {
    const [app, sink] = logged()
    app.get('/quiet', { logLevel: 'error' }, (request) => {
      request.log.info('not shown')
      request.log.error('shown')
      return 'x'
    })
    app.register(async (child) => void child.get('/child', () => 'x'), { logLevel: 'silent' })
    app.get('/loud', () => 'x')
    await send(app, { path: '/quiet' })
    await send(app, { path: '/child' })
    expect((await sink.line('shown'))['level']).toBe(ERROR)
    expect(sink.lines.map((line) => line['msg'])).not.toContain('not shown')
    expect(sink.lines.map((line) => line['msg'])).not.toContain('incoming request')
    await send(app, { path: '/loud' })
    await sink.line('incoming request')
  })

  it('uses the level of a context for its not-found handler', async () => {
    const [app, sink] = logged()
    const quiet = async (child: App): Promise<void> => void child.setNotFoundHandler(() => 'x')
    app.register(quiet, { prefix: '/child', logLevel: 'silent' })
    await send(app, { path: '/child/nowhere' })
    await send(app, { path: '/nowhere' })
    await sink.line('incoming request')
    const urls = sink.lines.flatMap(({ req }) => Object(req).url ?? [])
    expect(urls).toEqual(['/nowhere'])
  })

  it('uses serializers of the app, of a context and of a route', async () => {
    const [app, sink] = logged({}, { serializers: { req: (req: { url: string }) => ({ own: req.url }) } })
    app.get('/', () => 'x')
    app.register(
      async (child) =>
        void child.get(
          '/child',
          { logSerializers: { route: (value: string) => `route ${value}` } },
          (request) => {
            request.log.info({ context: 'a', route: 'b' }, 'serialized')
            return 'x'
          },
        ),
      { logSerializers: { context: (value: string) => `context ${value}` } },
    )
    await send(app, { path: '/' })
    expect(await sink.line('incoming request')).toMatchObject({ req: { own: '/' } })
    await send(app, { path: '/child' })
    expect(await sink.line('serialized')).toMatchObject({ context: 'context a', route: 'route b' })
  })

  it('makes ids with genReqId, under the label that was asked for', async () => {
    let count = 0
    const [app, sink] = logged({
      requestIdLogLabel: 'trace',
      genReqId: () => {
        count += 1
        return `own-${count}`
      },
    })
    app.get('/', (request) => ({ id: request.id }))
    expect((await send(app, { path: '/' })).json()).toEqual({ id: 'own-1' })
    expect(await sink.line('incoming request')).toMatchObject({ trace: 'own-1' })
  })

  it('keeps the numbers that genReqId returns, or that a hook sets, as numbers', async () => {
    let count = -1
    const [app, sink] = logged({ genReqId: () => ++count })
    app.addHook('onRequest', async (request) => {
      if (request.url === '/set') Reflect.set(request, 'id', 12)
    })
    app.get('/*', (request) => ({ id: request.id }))
    expect((await send(app, { path: '/' })).json()).toEqual({ id: 0 })
    expect(await sink.line('incoming request')).toMatchObject({ reqId: 0 })
    expect(await sink.line('request completed')).toMatchObject({ reqId: 0 })
    expect((await send(app, { path: '/set' })).json()).toEqual({ id: 12 })
  })

  it('makes ids with setGenReqId of a context', async () => {
    const [app] = logged()
    app.register(async (child) => {
      child.setGenReqId(() => 'child-id')
      child.get('/child', (request) => ({ id: request.id }))
    })
    app.get('/root', (request) => ({ id: request.id }))
    expect((await send(app, { path: '/child' })).json()).toEqual({ id: 'child-id' })
    expect((await send(app, { path: '/root' })).json()).not.toEqual({ id: 'child-id' })
  })

  it('takes the id from a header only when requestIdHeader names it', async () => {
    const [app] = logged({ requestIdHeader: 'x-request-id' })
    app.get('/', (request) => ({ id: request.id }))
    const headers = { 'x-request-id': 'from-client', 'request-id': 'other' }
    expect((await send(app, { path: '/', headers })).json()).toEqual({ id: 'from-client' })
    const [deaf] = logged()
    deaf.get('/', (request) => ({ id: request.id }))
    expect((await send(deaf, { path: '/', headers })).text).not.toContain('from-client')
  })

  from5('4.x takes its default for nothing')('takes no id from a header when it is told none', async () => {
    for (const requestIdHeader of [false, '']) {
      const [app] = logged({ requestIdHeader })
      app.get('/', (request) => ({ id: request.id }))
      const headers = { 'request-id': 'from-client' }
      expect((await send(app, { path: '/', headers })).json()).toEqual({ id: expect.stringMatching(/^req-/) })
    }
  })

  it('makes the loggers of requests with a factory of the app or of a route', async () => {
    const [app, sink] = logged()
    app.setChildLoggerFactory((logger, bindings, options) =>
      logger.child({ ...bindings, made: 'by app' }, options),
    )
    app.get('/', () => 'x')
    app.get('/route', {
      childLoggerFactory: (
        logger: Log,
        bindings: Record<string, unknown>,
        options: Record<string, unknown>,
      ) => logger.child({ ...bindings, made: 'by route' }, options),
      handler: (request) => {
        request.log.info('of route')
        return 'x'
      },
    })
    await send(app, { path: '/' })
    expect(await sink.line('incoming request')).toMatchObject({ made: 'by app' })
    await send(app, { path: '/route' })
    expect(await sink.line('of route')).toMatchObject({ made: 'by route' })
  })

  ours('the peers end the process or the connection')(
    'gives an id of its own, and logs why, when genReqId throws',
    async () => {
      const [app, sink] = logged({
        genReqId: () => {
          throw new Error('no id')
        },
      })
      app.get('/', (request) => ({ id: request.id }))
      expect((await send(app, { path: '/' })).json()).toEqual({ id: expect.stringMatching(/^req-/) })
      expect(await sink.line(/genReqId/)).toMatchObject({ level: ERROR, err: { message: 'no id' } })
    },
  )
})

describeTransports(
  'logging: requests whose socket is gone',
  ({ createApp, send, ours, expect }) => {
    ours('Fastify logs no address then')('are logged with their error and their address', async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/', (request) => {
        // undici does so with a request that it was given as a body, when its server fails.
        Object.assign(request.raw, { socket: null })
        throw new Error('the server is down')
      })
      expect((await send(app, { path: '/' })).status).toBe(500)
      const errors = sink.lines.filter(({ level }) => level === ERROR)
      expect(errors).toMatchObject([
        { err: { message: 'the server is down' }, req: { remoteAddress: '127.0.0.1' } },
      ])
    })
  },
  ['socket'],
)

describe('logging: loggers', () => {
  const createApp = useApps()

  it('has a logger that writes nothing when none is asked for', async () => {
    const app = createApp()
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
      app.log[level]('nothing')
    expect(app.log.child({})).toBeDefined()
  })

  it('takes a logger of the application', async () => {
    const seen: unknown[] = []
    const own = {
      level: 'info',
      child: () => own,
      info: (...args: unknown[]) => void seen.push(args.at(-1)),
      ...Object.fromEntries(
        ['trace', 'debug', 'warn', 'error', 'fatal'].map((level) => [level, () => undefined]),
      ),
    }
    // The two lines name the option differently.
    for (const option of ['logger', 'loggerInstance']) {
      let app: App
      try {
        app = createApp({ [option]: own })
      } catch {
        continue
      }
      app.get('/', () => 'x')
      await app.inject('/')
    }
    expect(seen).toContain('incoming request')
  })

  since5('4.x takes it as logger only')('takes a logger of the application as loggerInstance', () => {
    const sink = createLogSink()
    const base = createApp({ logger: { stream: sink.stream } }).log
    expect(createApp({ loggerInstance: base }).log.level).toBe('info')
  })

  line4('5.x takes it as loggerInstance only')('takes a logger of the application as logger', () => {
    const sink = createLogSink()
    const base = createApp({ logger: { stream: sink.stream } }).log
    expect(createApp({ logger: base }).log.level).toBe('info')
  })

  it('refuses a logger without the methods of one', () => {
    for (const option of ['logger', 'loggerInstance']) {
      let refused: unknown
      try {
        createApp({ [option]: { child: null, info: () => undefined } })
      } catch (error) {
        refused = error
      }
      if (refused === undefined) continue
      expect(refused).toMatchObject({ code: code('LOG_INVALID_LOGGER') })
    }
  })

  it('refuses a destination that cannot be', () => {
    expect(() => createApp({ logger: { stream: createLogSink().stream, file: '/tmp/x.log' } })).toThrow(
      expect.objectContaining({ code: code('LOG_INVALID_DESTINATION') }),
    )
  })

  it('redacts what the option names', async () => {
    const sink = createLogSink()
    const app = createApp({
      logger: {
        stream: sink.stream,
        redact: ['req.headers.authorization'],
        serializers: { req: (req: { headers: unknown }) => ({ headers: req.headers }) },
      },
    })
    app.get('/', () => 'x')
    await app.inject({ url: '/', headers: { authorization: 'secret' } })
    const line = await sink.line('incoming request')
    expect(line).toMatchObject({ req: { headers: { authorization: '[Redacted]' } } })
  })
})
