// The option `transport`: what serves the requests of an app, and why.
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogSink } from '../harness/log-lines.ts'
import { isPeer } from '../harness/subject.ts'
import { rawSocket } from '../harness/raw-socket.ts'
import { useApps } from '../harness/transports.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** Options with which requests are left to `node:http`, and the reason that is given. */
const LEFT_TO_NODE: readonly (readonly [options: Record<string, unknown>, reason: RegExp])[] = [
  [{ transport: 'node' }, /option transport is 'node'/],
  [{ transport: 'auto', http2: true }, /http2/],
  [{ transport: 'auto', serverFactory: (handle: () => void) => createServer(handle) }, /serverFactory/],
  [{ transport: 'auto', http: { insecureHTTPParser: true } }, /insecureHTTPParser/],
  [{ transport: 'auto', http: { joinDuplicateHeaders: true } }, /joinDuplicateHeaders/],
  [{ transport: 'auto', http: { requireHostHeader: false } }, /requireHostHeader/],
]

describe.skipIf(isPeer)('the option transport', () => {
  const createApp = useApps()

  it('lets the wire serve where nothing speaks against it', async () => {
    const sink = createLogSink()
    const app = createApp({ transport: 'auto', logger: { level: 'debug', stream: sink.stream } })
    let isNodes = false
    app.get('/', (request) => {
      isNodes = app.server.listenerCount('request') === 0
      return request.method
    })
    expect((await rawSocket(app, GET)).status).toBe(200)
    expect([app.transport.name, isNodes]).toEqual(['wire', false])
    expect(await sink.line(/are served by @cloister\/wire: /)).toMatchObject({ transport: 'wire' })
  })

  it.each(LEFT_TO_NODE)('hands requests to Node with %j, and has the reason', (options, reason) => {
    const app = createApp(options)
    expect(app.transport).toEqual({
      name: 'node',
      asked: options['transport'],
      reason: expect.stringMatching(reason),
      handedOver: {},
    })
  })

  it('refuses other values', () => {
    expect(() => createApp({ transport: 'fast' })).toThrow(/'transport' must be one of "auto", "node"/)
  })

  it.each([
    ['node', 'auto', 'node', "CLOISTER_TRANSPORT is 'node'"],
    ['auto', 'node', 'wire', "CLOISTER_TRANSPORT is 'auto', and nothing speaks against it"],
    ['', 'node', 'node', "the option transport is 'node'"],
  ])('yields to the environment: CLOISTER_TRANSPORT=%s', (variable, transport, name, reason) => {
    vi.stubEnv('CLOISTER_TRANSPORT', variable)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(createApp({ transport }).transport).toMatchObject({ name, reason })
  })

  it('refuses an unknown value of the environment, with its name', () => {
    vi.stubEnv('CLOISTER_TRANSPORT', 'fast')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(() => createApp()).toThrow(/CLOISTER_TRANSPORT must be 'auto' or 'node', got 'fast'/)
  })

  it('counts the connections that it hands to Node, by the reason', async () => {
    const app = createApp({ transport: 'auto' })
    app.get('/', () => 'x')
    const { transport } = app
    expect(transport.handedOver).toEqual({})
    await rawSocket(app, GET.replace('HTTP/1.1', 'HTTP/1.0'))
    await rawSocket(app, GET.replace('HTTP/1.1', 'HTTP/1.0'))
    expect([transport.name, transport.handedOver]).toEqual(['wire', { version: 2 }])
    app.server.on('request', () => {})
    const observer = 'another listener of request'
    expect([transport.name, transport.reason]).toEqual([
      'node',
      `${observer} expects the objects of node:http for every request`,
    ])
    await rawSocket(app, GET)
    expect(transport.handedOver).toEqual({ version: 2, [observer]: 1 })
  })

  it('shows requests to listeners that are added late, and to an emit that is replaced', async () => {
    const app = createApp({ transport: 'auto' })
    app.get('/', () => 'x')
    expect((await rawSocket(app, GET)).status).toBe(200)
    const seen: unknown[] = []
    app.server.on('request', (request) => seen.push(request.url))
    expect((await rawSocket(app, GET)).status).toBe(200)
    const { emit } = app.server
    app.server.emit = function emitAndCount(this: unknown, ...args: unknown[]): boolean {
      seen.push(args[0])
      return Boolean(Reflect.apply(emit, this, args))
    }
    expect((await rawSocket(app, GET)).status).toBe(200)
    expect(seen.filter((one) => one === '/' || one === 'request')).toEqual(['/', 'request', '/'])
  })

  it('says at the start what a tracer costs that needs the objects of node:http', async () => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const app = createApp({ transport: 'auto', logger: { stream } })
    const { emit } = app.server
    app.server.emit = function traced(this: unknown, ...args: unknown[]): boolean {
      return Boolean(Reflect.apply(emit, this, args))
    }
    await app.listen({ port: 0, host: '127.0.0.1' })
    expect(
      lines.filter((line) => /a replaced emit expects .* twice the CPU .* @cloister\/otel/.test(line)),
    ).toHaveLength(1)
  })

  it('passes requests to listeners that take the place of its own, as those of Socket.IO do', async () => {
    const app = createApp({ transport: 'auto' })
    app.get('/', () => 'of the app')
    const own = app.server.listeners('request')
    app.server.removeAllListeners('request')
    app.server.on('request', (request, response) => {
      if (request.url === '/socket') response.end('of the other')
      else for (const listener of own) Reflect.apply(listener, app.server, [request, response])
    })
    expect((await rawSocket(app, GET)).body).toBe('of the app')
    expect((await rawSocket(app, GET.replace('/', '/socket'))).body).toBe('of the other')
    expect(app.transport).toMatchObject({ name: 'node', handedOver: { 'another listener of request': 2 } })
  })
})
