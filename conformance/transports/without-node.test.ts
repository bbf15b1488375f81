// A transport without any object of Node: what it can do like every other, and what is an error with a name.
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import type { App, Handler } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import type { MemoryExchange } from '../harness/memory/memory-exchange.ts'
import type { MemoryResponse } from '../harness/memory/memory-response.ts'
import { exchangeInMemory, startMemory } from '../harness/memory/send-memory.ts'
import { isPeer } from '../harness/subject.ts'
import { createGate, never, tick } from '../harness/time.ts'
import { useApps } from '../harness/transports.ts'

const request = (target: string, headerLines: readonly string[] = []) => ({
  method: 'GET',
  target,
  headerLines: ['host', 'example.com', ...headerLines],
  body: new Uint8Array(0),
})

const get = (app: App, target: string): Promise<MemoryResponse> => exchangeInMemory(app, request(target))
const start = (app: App, target: string): Promise<MemoryExchange> => startMemory(app, request(target))
const textOf = ({ content }: MemoryResponse): string => Buffer.concat(content).toString()

/** What only Node's objects can do. */
const RAW: readonly (readonly [member: string, handler: Handler])[] = [
  ['request.raw', (req) => req.raw.on('close', () => {})],
  ['request.socket', (req) => req.socket.remoteAddress],
  ['reply.raw', (_req, reply) => reply.raw.statusCode],
  ['reply.hijack', (_req, reply) => reply.hijack()],
]

describe.skipIf(isPeer)('a transport without objects of Node', () => {
  const createApp = useApps()

  it.each(RAW)('throws an error that names %s where a handler uses it', async (member, handler) => {
    const app = createApp()
    app.get('/', handler)
    const response = await get(app, '/')
    expect(response.head?.status).toBe(500)
    expect(JSON.parse(textOf(response))).toMatchObject({
      code: 'CLO_ERR_RAW_UNAVAILABLE',
      message: expect.stringContaining(`${member} is not available`),
    })
  })

  it('responds with an error that names a router option that needs the raw objects', async () => {
    const app = createApp({ routerOptions: { defaultRoute: () => {} } })
    const { message } = JSON.parse(textOf(await get(app, '/nowhere')))
    expect(message).toContain('defaultRoute is not available')
  })

  it('gives functions of the application a view of the request', async () => {
    const seen: unknown[] = []
    const app = createApp({
      rewriteUrl: (view: { url: string; method: string }) => {
        seen.push([view.method, view.url])
        return '/new'
      },
      genReqId: (view: { headers: { host: string } }) => `of ${view.headers.host}`,
    })
    app.get('/new', (req) => ({ id: req.id, url: req.url, originalUrl: req.originalUrl, ip: req.ip }))
    const response = await get(app, '/old')
    expect(seen).toEqual([['GET', '/old']])
    expect(JSON.parse(textOf(response))).toEqual({
      id: 'of example.com',
      url: '/new',
      originalUrl: '/old',
      ip: '127.0.0.1',
    })
  })

  it('refuses a request with two Host fields, and ends the connection', async () => {
    const app = createApp()
    app.get('/', () => 'reached')
    const { head } = await exchangeInMemory(app, request('/', ['host', 'other.example']))
    expect([head?.status, head?.headers['connection']]).toEqual([400, 'close'])
  })

  it('writes early hints before the response', async () => {
    const app = createApp()
    app.get('/', async (_req, reply) => {
      await new Promise<void>((resolve) => {
        reply.writeEarlyHints({ link: '</a.css>; rel=preload' }, resolve)
      })
      return 'ok'
    })
    const response = await get(app, '/')
    expect([response.hints, textOf(response)]).toEqual([[{ link: '</a.css>; rel=preload' }], 'ok'])
  })

  it('runs onResponse once, and not before send has returned', async () => {
    const app = createApp()
    const steps: string[] = []
    const ran = createGate()
    app.addHook('onResponse', async () => {
      steps.push('onResponse')
      ran.open()
    })
    app.get('/', (_req, reply) => {
      reply.send('ok')
      steps.push('sent')
    })
    await get(app, '/')
    await ran.promise
    await tick()
    expect(steps).toEqual(['sent', 'onResponse'])
  })

  it('runs hooks and aborts the signal once when the client disconnects, and logs it', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    const steps: string[] = []
    const reached = createGate()
    app.addHook('onRequestAbort', async () => void steps.push('onRequestAbort'))
    app.addHook('onResponse', async () => void steps.push('onResponse'))
    app.get('/', (req) => {
      const { signal } = req
      if (signal instanceof AbortSignal) signal.addEventListener('abort', () => steps.push('signal'))
      reached.open()
      return never()
    })
    const exchange = await start(app, '/')
    await reached.promise
    exchange.abort()
    exchange.abort()
    await sink.line(/abort/)
    await tick()
    expect(steps).toEqual(['onRequestAbort', 'signal'])
  })

  it('reads a stream no faster than the client does, and destroys it when the client goes away', async () => {
    const app = createApp()
    let produced = 0
    const source = new Readable({
      highWaterMark: 64,
      read() {
        produced += 1
        this.push('x'.repeat(64))
      },
    })
    const closed = new Promise((resolve) => {
      source.once('close', resolve)
    })
    app.get('/', (_req, reply) => reply.send(source))
    const exchange = await start(app, '/')
    await tick()
    await tick()
    const soFar = produced
    exchange.abort()
    await closed
    expect(soFar).toBeGreaterThan(0)
    expect(produced).toBeLessThan(20)
  })

  it('cuts a response whose stream fails after the head', async () => {
    const app = createApp()
    app.get('/', (_req, reply) =>
      reply.send(
        Readable.from(
          (function* () {
            yield 'first'
            throw new Error('broken')
          })(),
        ),
      ),
    )
    await expect(get(app, '/')).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
  })

  it('sees requests while the app closes, and refuses them', async () => {
    const app = createApp()
    app.get('/', () => 'reached')
    const status = createGate<number | undefined>()
    app.addHook('preClose', async () => status.open((await get(app, '/')).head?.status))
    await app.ready()
    await callMember(app, 'close')
    expect(await status.promise).toBe(503)
  })
})
