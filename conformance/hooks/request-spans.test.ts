// The channels of requests, read by the OpenTelemetry SDK: one server span for each request, over every transport, and
// no request leaves its transport for it.
import { Readable } from 'node:stream'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { hrTimeToMicroseconds, W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { App, Request } from '../harness/app-shape.ts'
import { leaveSlowRequest } from '../harness/leaving-client.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { RequestSpans } from '../harness/request-spans.ts'
import { describeTransports } from '../harness/transports.ts'

const NO_CLIENT = 'its client is a promise and cannot go away'
const CHANNELS = 'the channels of requests are our own'

/** What a tracing backend shows of a span. */
function shown({ name, kind, attributes, status, events }: ReadableSpan): object {
  return {
    name,
    kind,
    route: attributes['http.route'],
    status: attributes['http.response.status_code'],
    isError: status.code === SpanStatusCode.ERROR,
    events: events.map((event) => event.attributes?.['exception.message']),
  }
}

describeTransports('spans of requests', ({ transport, createApp, ours, overNode, send, expect }) => {
  const it = ours(CHANNELS)
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const tracer = provider.getTracer('test')
  let spans: RequestSpans

  beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()))
  afterAll(() => context.disable())
  beforeEach(() => {
    spans = new RequestSpans(tracer, new W3CTraceContextPropagator())
  })
  afterEach(() => {
    spans.stop()
    exporter.reset()
  })

  async function finished(count: number): Promise<readonly ReadableSpan[]> {
    await vi.waitFor(() => expect(exporter.getFinishedSpans().length).toBeGreaterThanOrEqual(count))
    return exporter.getFinishedSpans()
  }

  function createTraced(): App {
    const app = createApp()
    app.get('/users/:id', (request) => ({ id: request.params['id'] }))
    app.get('/broken', async () => {
      throw new Error('no database')
    })
    const body = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
    app.post('/users', { schema: { body } }, () => 'made')
    return app
  }

  const server = { kind: SpanKind.SERVER, isError: false, events: [] }

  it('have the route, the status and a duration', async () => {
    const app = createTraced()
    await send(app, { path: '/users/7?full' })
    const seen = await finished(1)
    expect(seen.map(shown)).toEqual([{ ...server, name: 'GET /users/:id', route: '/users/:id', status: 200 }])
    expect(seen[0]).toMatchObject({ ended: true, attributes: { 'url.path': '/users/7' } })
    expect(hrTimeToMicroseconds(seen[0]?.duration ?? [0, 0])).toBeGreaterThan(0)
    if (transport === 'wire') expect(app.transport.name).toBe('wire')
  })

  it('have the error of a handler that failed', async () => {
    const app = createTraced()
    await send(app, { path: '/broken' })
    const seen = (await finished(1)).map(shown)
    const error = { isError: true, events: ['no database'] }
    expect(seen).toEqual([{ ...server, ...error, name: 'GET /broken', route: '/broken', status: 500 }])
  })

  it('have the reason why a request was refused, which is no error of the server', async () => {
    const app = createTraced()
    await send(app, { method: 'POST', path: '/users', body: { name: null, other: 1 } })
    await send(app, { method: 'POST', path: '/users', body: {} })
    const seen = (await finished(2)).map(shown)
    const events = ["body must have required property 'name'"]
    expect(seen.at(-1)).toEqual({ ...server, events, name: 'POST /users', route: '/users', status: 400 })
  })

  it('have no route where there is none', async () => {
    const app = createTraced()
    await send(app, { path: '/nowhere' })
    await send(app, { path: '/users/%zz' })
    const seen = (await finished(2)).map(shown)
    expect(seen).toMatchObject([
      { name: 'GET', route: undefined, status: 404 },
      { name: 'GET', route: undefined, status: 400, events: ["'/users/%zz' is not a valid url component"] },
    ])
  })

  it('end with the last byte of a stream', async () => {
    const app = createTraced()
    const source = new Readable({ read() {} })
    app.get('/stream', (_request, reply) => reply.send(source))
    const response = send(app, { path: '/stream' })
    source.push('first')
    await vi.waitFor(() => expect(source.readableFlowing).toBe(true))
    expect(exporter.getFinishedSpans()).toEqual([])
    source.push('last')
    source.push(null)
    expect((await response).text).toBe('firstlast')
    const seen = (await finished(1)).map(shown)
    expect(seen).toEqual([{ ...server, name: 'GET /stream', route: '/stream', status: 200 }])
  })

  it('are the parents of what handlers trace, and children of the span of the client', async () => {
    const app = createTraced()
    app.addHook('onRequest', (request: Request, _reply, done) => context.with(spans.contextOf(request), done))
    app.get('/query', async () => {
      await Promise.resolve()
      tracer.startSpan('query').end()
      return 'rows'
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await send(app, { path: '/query', headers: { traceparent } })
    const [query, request] = await finished(2)
    expect(query?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
    expect(request?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    expect(query?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c')
    expect(trace.getSpan(context.active())).toBeUndefined()
  })

  const socketTest = transport === 'socket' || transport === 'wire' ? it : it.skip
  overNode(NO_CLIENT, socketTest)('end when the client goes away', async () => {
    const app = createTraced()
    await leaveSlowRequest(app)
    const [span] = await finished(1)
    expect(span).toMatchObject({
      name: 'GET /slow',
      attributes: { 'http.route': '/slow', 'error.type': 'ERR_STREAM_PREMATURE_CLOSE' },
    })
  })

  socketTest('are one for each of the requests that come in one piece', async () => {
    const app = createTraced()
    const socket = await openSocket(app)
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    socket.write(get('/users/1') + get('/broken') + get('/users/2'))
    const seen = (await finished(3)).map(({ attributes }) => attributes['http.response.status_code'])
    expect(seen).toEqual([200, 500, 200])
    socket.destroy()
  })
})
