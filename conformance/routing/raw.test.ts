// The raw objects: what plugins put in their place, and requests that have no socket.
import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createLogSink } from '../harness/log-lines.ts'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { describeTransports, nodeTransports, ours, useApps } from '../harness/transports.ts'

describeTransports(
  'raw: replaced by a plugin',
  ({ createApp, send, it, expect }) => {
    it('reads the request through the object in its place', async () => {
      const app = createApp()
      app.addHook('onRequest', (request, _reply, done) => {
        const { raw } = request
        const headers = { ...raw.headers, 'x-added': 'yes' }
        const replaced: typeof raw = Object.create(raw, {
          url: { value: '/elsewhere', writable: true },
          method: { value: 'PUT' },
          headers: { value: headers },
        })
        Reflect.set(request, 'raw', replaced)
        replaced.url = '/later'
        done()
      })
      app.get('/', ({ url, method, headers, raw, socket }) => ({
        seen: [url, method, headers['x-added']],
        same: raw.url === url && socket === raw.socket,
      }))
      const received = await send(app, { path: '/' })
      expect(received.json()).toEqual({ seen: ['/later', 'PUT', 'yes'], same: true })
    })

    it('reads the body from the request in its place', async () => {
      const app = createApp()
      app.addHook('onRequest', (request, _reply, done) => {
        Reflect.set(request, 'raw', Object.assign(request.raw, { enhanced: true }))
        done()
      })
      app.post('/', (request) => request.body)
      expect((await send(app, { method: 'POST', path: '/', body: { a: 1 } })).json()).toEqual({ a: 1 })
    })

    it('writes the response into the raw response in its place', async () => {
      const app = createApp()
      const calls: unknown[] = []
      app.addHook('onRequest', (_request, reply, done) => {
        const { raw } = reply
        reply.code(201)
        Reflect.set(
          reply,
          'raw',
          new Proxy(raw, {
            get(target, name) {
              if (name === 'writeHead') calls.push(name)
              const value: unknown = Reflect.get(target, name)
              return typeof value === 'function' ? value.bind(target) : value
            },
            set: (target, name, value) => Reflect.set(target, name, value),
          }),
        )
        done()
      })
      app.get('/', () => ({ a: 1 }))
      const received = await send(app, { path: '/' })
      expect([received.status, received.json(), calls]).toEqual([201, { a: 1 }, ['writeHead']])
    })
  },
  nodeTransports('plugins replace objects of Node'),
)

describe('raw: requests without a socket', () => {
  const createApp = useApps()

  ours('4.x wants a socket, and 5.x has no routing')('have no address, and get a response', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    const seen: unknown[] = []
    app.addHook('onTimeout', async () => undefined)
    app.get('/', (request, reply) => {
      seen.push(request.ip, request.protocol, request.socket)
      reply.hijack()
      reply.raw.end('by hand')
    })
    await app.ready()
    const request = { method: 'GET', url: '/', httpVersion: '1.1', headers: { host: 'x' } }
    const { routing } = app
    if (typeof routing !== 'function') throw new Error('no routing')
    Reflect.apply(routing, app, [request, new ServerResponse(Object(request))])
    await sink.line('incoming request')
    expect(seen).toEqual([undefined, 'http', undefined])
  })
})

describe('raw: a connection that changes its protocol', () => {
  const createApp = useApps()

  it('is not logged as an aborted request when it ends', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.get('/', (request, reply) => {
      reply.hijack()
      request.raw.socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: mine\r\nConnection: Upgrade\r\n\r\n',
      )
    })
    app.server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      const response = new ServerResponse(request)
      response.assignSocket(socket)
      const { routing } = app
      if (typeof routing === 'function') Reflect.apply(routing, app, [request, response])
      else app.server.emit('request', request, response)
    })
    const client = await openSocket(app)
    const closed = new Promise((resolve) => {
      client.once('close', resolve)
    })
    client.resume().write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: mine\r\n\r\n')
    await sink.line('incoming request')
    await closed
    await app.close()
    expect(sink.lines.map(({ msg }) => msg).filter((msg) => /abort|completed/.test(String(msg)))).toEqual([])
  })
})

describe('raw: listeners of the framework', () => {
  const createApp = useApps()

  it('are alone on the events of a response, whatever waits for its end', async () => {
    const app = createApp({ logger: { stream: createLogSink().stream } })
    app.addHook('onResponse', async () => undefined)
    const events = ['finish', 'close', 'error'] as const
    app.get('/', (_request, reply) => {
      const { raw } = reply
      reply.raw.setHeader('x-raw', 'yes')
      return events.map((event) => raw.listenerCount(event))
    })
    const client = await openSocket(app)
    const received = new Promise<string>((resolve) => {
      client.once('data', (bytes) => resolve(String(bytes)))
    })
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const counts: number[] = JSON.parse((await received).split('\r\n\r\n')[1] ?? '')
    expect(counts.filter((count) => count > 1)).toEqual([])
    client.destroy()
  })
})

describeTransports(
  'raw: headers named like members of objects',
  ({ createApp, it, expect }) => {
    it('CVE-2026-21710: are fields like any other, in all that Node makes of them', async () => {
      const app = createApp()
      app.get('/', ({ headers, raw }) => ({
        own: Object.hasOwn(headers, 'constructor'),
        distinct: Object.entries(raw.headersDistinct).filter(([name]) => name !== 'connection'),
        lines: raw.rawHeaders.length,
      }))
      const head = 'GET / HTTP/1.1\r\nHost: a\r\n__proto__: x\r\nconstructor: y\r\n__proto__: z\r\n'
      const { status, body } = await rawSocket(app, `${head}Connection: close\r\n\r\n`)
      expect([status, JSON.parse(body)]).toMatchObject([
        200,
        { own: true, distinct: expect.arrayContaining([['constructor', ['y']]]), lines: 10 },
      ])
      expect(Reflect.get({}, 'x')).toBeUndefined()
    })
  },
  ['socket'],
)
