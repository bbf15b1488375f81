// The lines that the framework logs about requests, written by a controller of the application.
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import type { LogSink } from '../harness/log-lines.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { code, factory, subjectName } from '../harness/subject.ts'
import { createGate, tick } from '../harness/time.ts'
import { describeTransports, since5, useApps } from '../harness/transports.ts'

const IS_NEW = 'log controllers came with 5.x'

interface Controller {
  disableRequestLogging: unknown
  requestIdLogLabel: string
  isLogDisabled(request: Request): boolean
  incomingRequest(request: Request, reply: Reply): void
  requestCompleted(error: Error | null | undefined, request: Request, reply: Reply): void
  defaultErrorLog(error: Error, request: Request, reply: Reply): void
  streamError(error: Error, request: Request, reply: Reply): void
  routeNotFound(request: Request, reply: Reply): void
  serializerError(error: Error, request: Request, reply: Reply, metadata: { statusCode: number }): void
  serviceUnavailable(logger: unknown, server: unknown): void
}

type ControllerClass = new (options?: Record<string, unknown>) => Controller

function asClass(value: unknown): ControllerClass {
  if (!isClass(value)) throw new TypeError('LogController must be a class')
  return value
}

function isClass(value: unknown): value is ControllerClass {
  return typeof value === 'function'
}

/** Not about where the app listens, and what serves its requests. */
const isOfRequest = (message: unknown): boolean =>
  !/^(?:Server listening|requests are served)/.test(String(message))

const subject: Record<string, unknown> = await import(/* @vite-ignore */ subjectName)
// 4.x has none; its tests are skipped, and a class must stand there for the file to load.
const Base = asClass(subject['LogController'] ?? Object)

describeTransports('log controller', ({ createApp, send, since5, expect }) => {
  const logged = (logController: Controller, options: Record<string, unknown> = {}): [App, LogSink] => {
    const sink = createLogSink()
    return [createApp({ logger: { level: 'trace', stream: sink.stream }, logController, ...options }), sink]
  }
  const messages = (sink: LogSink): unknown[] => sink.lines.map(({ msg }) => msg)

  since5(IS_NEW)('writes the usual lines, with the label that it was given', async () => {
    const [app, sink] = logged(new Base({ requestIdLogLabel: 'trace' }))
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    const completed = await sink.line('request completed')
    expect(completed).toMatchObject({ level: 30, res: { statusCode: 200 }, trace: 'req-1' })
    expect(await sink.line('incoming request')).toMatchObject({ req: { url: '/' }, trace: 'req-1' })
  })

  since5(IS_NEW)('comes before the options of the factory', async () => {
    const [app, sink] = logged(new Base(), { requestIdLogLabel: 'other', disableRequestLogging: true })
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    expect(await sink.line('incoming request')).toMatchObject({ reqId: 'req-1' })
  })

  since5(IS_NEW)('leaves the requests out that its function names', async () => {
    const [app, sink] = logged(
      new Base({ disableRequestLogging: (request: Request) => request.url === '/health' }),
    )
    app.get('/health', () => {
      throw new Error('not logged')
    })
    app.get('/', () => 'x')
    await send(app, { path: '/health' })
    await send(app, { path: '/' })
    await sink.line('request completed')
    expect(messages(sink).filter(isOfRequest)).toEqual(['incoming request', 'request completed'])
  })

  since5(IS_NEW)('asks for each line whether it is wanted', async () => {
    class FromHook extends Base {
      override isLogDisabled(request: Request): boolean {
        return request['secret'] === true
      }
    }
    const [app, sink] = logged(new FromHook())
    app.decorateRequest('secret', false)
    app.addHook('onRequest', async (request) => {
      if (request.url === '/secret') request['secret'] = true
    })
    app.get('/secret', () => 'x')
    app.get('/open', () => 'x')
    await send(app, { path: '/secret' })
    await send(app, { path: '/open' })
    await sink.line('request completed')
    expect(sink.lines.filter(({ msg }) => msg === 'incoming request')).toHaveLength(2)
    expect(sink.lines.filter(({ msg }) => msg === 'request completed')).toHaveLength(1)
  })

  since5(IS_NEW)('writes lines of its own', async () => {
    class Own extends Base {
      override incomingRequest(request: Request, reply: Reply): void {
        request.log.debug({ status: reply.statusCode }, `> ${request.method} ${request.url}`)
      }
      override requestCompleted(error: Error | null | undefined, request: Request, reply: Reply): void {
        reply.log.warn({ error: error?.message }, `< ${request.url} ${reply.statusCode}`)
      }
      override defaultErrorLog(error: Error, request: Request, reply: Reply): void {
        reply.log.error(`! ${request.url} ${reply.statusCode} ${error.message}`)
      }
      override routeNotFound(request: Request): void {
        request.log.info(`? ${request.url}`)
      }
    }
    const [app, sink] = logged(new Own())
    app.get('/fails', () => {
      throw new Error('broken')
    })
    await send(app, { path: '/fails' })
    await send(app, { path: '/nowhere' })
    await sink.line('< /nowhere 404')
    expect(messages(sink).filter(isOfRequest)).toEqual([
      '> GET /fails',
      '! /fails 500 broken',
      '< /fails 500',
      '> GET /nowhere',
      '? /nowhere',
      '< /nowhere 404',
    ])
    expect(await sink.line('> GET /fails')).toMatchObject({ level: 20, status: 200 })
  })

  since5(IS_NEW)('is called without a logger too', async () => {
    const seen: string[] = []
    const { promise, open: finish } = createGate()
    class Counting extends Base {
      override incomingRequest(request: Request): void {
        seen.push(request.url)
      }
      override requestCompleted(): void {
        seen.push('completed')
        finish()
      }
    }
    const app = createApp({ logController: new Counting() })
    app.addHook('onResponse', async (_request, _reply) => {})
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    await promise
    expect(seen).toEqual(['/', 'completed'])
  })

  since5('4.x logs that the request was completed before its hooks have run')(
    'is told that a request is completed when the onResponse hooks have run',
    async () => {
      const [app, sink] = logged(new Base())
      app.addHook('onResponse', async (request, _reply) => {
        await new Promise((resolve) => setImmediate(resolve))
        request.log.info('from hook')
      })
      app.get('/', () => 'x')
      await send(app, { path: '/' })
      await sink.line('request completed')
      expect(messages(sink).slice(-2)).toEqual(['from hook', 'request completed'])
    },
  )

  since5(IS_NEW)('is told what an onResponse hook threw', async () => {
    const [app, sink] = logged(new Base())
    app.addHook('onResponse', async (_request, _reply) => {
      throw new Error('hook broke')
    })
    app.get('/', () => 'x')
    await send(app, { path: '/' })
    const line = await sink.line('request errored')
    expect(line).toMatchObject({ level: 50, err: { message: 'hook broke' }, res: { statusCode: 200 } })
  })

  since5(IS_NEW)('is told of a stream that breaks off', async () => {
    const broken: string[] = []
    const { promise, open: finish } = createGate()
    class Streams extends Base {
      override streamError(error: Error, request: Request, reply: Reply): void {
        broken.push(`${request.url} ${reply.statusCode} ${error.message}`)
        finish()
      }
    }
    const [app] = logged(new Streams())
    app.get('/', (_request, reply) => {
      let pieces = 0
      const source = new Readable({
        read() {
          pieces += 1
          if (pieces === 1) this.push('first')
          else setImmediate(() => this.destroy(new Error('source broke')))
        },
      })
      return reply.send(source)
    })
    await send(app, { path: '/' }).catch(() => {})
    await promise
    expect(broken[0]).toBe('/ 200 source broke')
  })

  since5(IS_NEW)('is told of an error that its schema cannot write', async () => {
    const seen: unknown[] = []
    class Serializers extends Base {
      override serializerError(error: Error, request: Request, _reply: Reply, metadata: object): void {
        seen.push(error instanceof Error, request.url, metadata)
      }
    }
    const [app] = logged(new Serializers())
    const fails = (): never => {
      throw new Error('cannot write')
    }
    app.get(
      '/',
      { schema: { response: { 400: { type: 'object' } } }, serializerCompiler: () => fails },
      () => {
        throw Object.assign(new Error('bad'), { statusCode: 400 })
      },
    )
    expect((await send(app, { path: '/' })).status).toBe(500)
    expect(seen).toEqual([true, '/', { statusCode: 400 }])
  })
})

describe('log controller: option', () => {
  since5(IS_NEW)('must be an instance of the class', () => {
    expect(() => factory({ logController: { incomingRequest() {} } })).toThrow(
      expect.objectContaining({ code: code('LOG_INVALID_LOG_CONTROLLER') }),
    )
  })

  since5(IS_NEW)('has the defaults of the class', () => {
    const { disableRequestLogging, requestIdLogLabel } = new Base()
    expect({ disableRequestLogging, requestIdLogLabel }).toEqual({
      disableRequestLogging: false,
      requestIdLogLabel: 'reqId',
    })
  })

  since5(IS_NEW)('is also a member of the factory', () => {
    expect(Reflect.get(Object(subject['default']), 'LogController')).toBe(Base)
  })
})

describe('log controller: while the app closes', () => {
  const createApp = useApps({ forceCloseConnections: false })

  since5(IS_NEW)('is told of requests that are refused', async () => {
    const seen: unknown[] = []
    class Refusals extends Base {
      override serviceUnavailable(logger: unknown, server: unknown): void {
        seen.push(
          typeof Reflect.get(Object(logger), 'info'),
          typeof Reflect.get(Object(server), 'inject') === 'function',
        )
      }
    }
    const app = createApp({ logController: new Refusals() })
    const mayClose = createGate()
    const isRefused = createGate()
    app.addHook('preClose', async () => mayClose.promise)
    app.get('/', () => 'x')
    const socket = await openSocket(app)
    const closing = app.close()
    await tick()
    socket.once('data', () => isRefused.open())
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await isRefused.promise
    mayClose.open()
    socket.destroy()
    await closing
    expect(seen).toEqual(['function', true])
  })
})
