// What the documentation of Node says about the members of a server holds whatever serves its requests.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { vi } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { describeTransports } from '../harness/transports.ts'

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const CHECKED_OFTEN = { http: { connectionsCheckingInterval: 20 } }

/** Sends a request over an open connection, and reads until its content has come. */
async function ask(socket: Socket, request: string, content: string): Promise<string> {
  let text = ''
  const read = (bytes: Buffer): void => void (text += bytes.toString('latin1'))
  socket.on('data', read)
  socket.write(request)
  await vi.waitFor(() => {
    if (!text.includes(content)) throw new Error(`no ${content} in ${text}`)
  })
  socket.off('data', read)
  return text
}

function connected(app: App): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
  })
}

describeTransports(
  'the members of the server',
  ({ createApp, it, expect }) => {
    const serve = (options: Record<string, unknown> = {}): App => {
      const app = createApp({ forceCloseConnections: false, ...options })
      app.get('/', () => 'hello')
      app.post('/', (request) => request.body)
      return app
    }

    /** Two connections: one between two requests, and one whose response waits until `respond` is called. */
    const openIdleAndBusy = async (app: App) => {
      let respond = (_text: string): void => {}
      let isHandling = false
      app.get('/late', () => {
        isHandling = true
        return new Promise((resolve) => (respond = resolve))
      })
      const [idle, busy] = [await openSocket(app), await openSocket(app)]
      await ask(idle, GET, 'hello')
      const late = ask(busy, GET.replace('/ ', '/late '), 'at last')
      await vi.waitFor(() => expect(isHandling).toBe(true))
      return { idle, busy, late, respond: (text: string): void => respond(text) }
    }

    it('maxRequestsPerSocket: the last request closes the connection, the next gets 503', async () => {
      const app = serve()
      app.server.maxRequestsPerSocket = 2
      const dropped: unknown[] = []
      app.server.on('dropRequest', (request: { url: string }) => dropped.push(request.url))
      const socket = await openSocket(app)
      expect(await ask(socket, GET, 'hello')).toMatch(/\r\nKeep-Alive: timeout=\d+, max=2\r\n/)
      expect(await ask(socket, GET, 'hello')).toMatch(/\r\nConnection: close\r\n/)
      expect(await ask(socket, GET.replace('/ ', '/over '), '\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 /)
      expect(dropped).toEqual(['/over'])
      socket.destroy()
    })

    it('keepAliveTimeout: is said to the client, and ends an idle connection', async () => {
      const app = serve(CHECKED_OFTEN)
      app.server.keepAliveTimeout = 1000
      const socket = await openSocket(app)
      expect(await ask(socket, GET, 'hello')).toMatch(/\r\nKeep-Alive: timeout=1\r\n/)
      app.server.keepAliveTimeout = 1
      await ask(socket, GET, 'hello')
      await once(socket.resume(), 'close')
    })

    it('keepAliveTimeout: with 0 an idle connection stays, and no time is said', async () => {
      const app = serve(CHECKED_OFTEN)
      app.server.keepAliveTimeout = 0
      const socket = await openSocket(app)
      expect(await ask(socket, GET, 'hello')).not.toContain('Keep-Alive:')
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(await ask(socket, GET, 'hello')).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    })

    it.each(['GET / HTTP/1.1\r\nHo', 'GET / HTTP/1.1\r\nHost: x\r\n'])(
      'headersTimeout, looked at each connectionsCheckingInterval: %j gets 408',
      async (part) => {
        const app = serve({ ...CHECKED_OFTEN, headersTimeout: 60 })
        expect((await rawSocket(app, part)).status).toBe(408)
      },
    )

    it('requestTimeout: a body that does not arrive gets 408', async () => {
      const app = serve({ ...CHECKED_OFTEN, headersTimeout: 0 })
      app.server.requestTimeout = 60
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n'
      expect((await rawSocket(app, `${head}Content-Length: 5\r\n\r\nhel`)).status).toBe(408)
      expect((await rawSocket(app, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhel`)).status).toBe(408)
    })

    it('requestTimeout: 0 waits for a body', async () => {
      const app = serve({ ...CHECKED_OFTEN, requestTimeout: 0, headersTimeout: 30 })
      const socket = await openSocket(app)
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhel')
      await new Promise((resolve) => setTimeout(resolve, 120))
      expect(await ask(socket, 'lo', '\r\n\r\nhello')).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    })

    it('maxHeaderSize: a head above it gets 431, one below it is served', async () => {
      const app = serve({ http: { maxHeaderSize: 2000 } })
      const sized = (size: number): string =>
        `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Fill: ${'x'.repeat(size)}\r\n\r\n`
      expect((await rawSocket(app, sized(1800))).status).toBe(200)
      expect((await rawSocket(app, sized(2100))).status).toBe(431)
    })

    it('setTimeout: the callback gets the socket of a silent connection, which then is its own to end', async () => {
      const app = serve({ ...CHECKED_OFTEN, headersTimeout: 0, requestTimeout: 0 })
      const seen: Socket[] = []
      app.server.setTimeout(40, (socket: Socket) => {
        seen.push(socket)
        socket.end('bye')
      })
      expect((await rawSocket(app, '')).text).toBe('bye')
      expect(seen).toHaveLength(1)
    })

    it('setTimeout: without a callback the silent connection is closed', async () => {
      const app = serve({ ...CHECKED_OFTEN, headersTimeout: 0, requestTimeout: 0 })
      app.server.setTimeout(40)
      expect((await rawSocket(app, '')).text).toBe('')
    })

    it('setTimeout: a response that takes longer is cut as well', async () => {
      const app = serve()
      app.get('/slow', () => new Promise(() => {}))
      app.server.setTimeout(60)
      expect((await rawSocket(app, GET.replace('/ ', '/slow '))).text).toBe('')
    })

    it('closeIdleConnections: ends those between two requests, and no others', async () => {
      const app = serve()
      const { idle, busy, late, respond } = await openIdleAndBusy(app)
      const closed = once(idle.resume(), 'close')
      app.server.closeIdleConnections()
      await closed
      respond('at last')
      expect(await late).toMatch(/^HTTP\/1\.1 200 /)
      busy.destroy()
    })

    it('closeAllConnections: ends those with a request too', async () => {
      const app = serve()
      let isHandling = false
      app.get('/never', () => {
        isHandling = true
        return new Promise(() => {})
      })
      const [idle, busy] = [await openSocket(app), await openSocket(app)]
      await ask(idle, GET, 'hello')
      busy.on('error', () => {})
      busy.write(GET.replace('/ ', '/never '))
      await vi.waitFor(() => expect(isHandling).toBe(true))
      const closed = [once(idle.resume(), 'close'), once(busy.resume(), 'close')]
      app.server.closeAllConnections()
      await Promise.all(closed)
    })

    it('getConnections: counts the open ones', async () => {
      const app = serve()
      const sockets = [await openSocket(app), await openSocket(app), await openSocket(app)]
      for (const socket of sockets) await ask(socket, GET, 'hello')
      expect(await connected(app)).toBe(3)
      for (const socket of sockets) socket.destroy()
      await vi.waitFor(async () => expect(await connected(app)).toBe(0))
    })

    it('close: ends idle connections, and calls back when the last response is out', async () => {
      const app = serve()
      const { idle, busy, late, respond } = await openIdleAndBusy(app)
      const events: string[] = []
      app.server.close(() => events.push('closed'))
      await once(idle.resume(), 'close')
      events.push('idle ended')
      respond('at last')
      expect(await late).toMatch(/^HTTP\/1\.1 200 /)
      busy.destroy()
      await vi.waitFor(() => expect(events).toEqual(['idle ended', 'closed']))
    })
  },
  ['socket'],
)

describeTransports(
  'listen: a request that arrives while the process is busy',
  ({ createApp, it, expect }) => {
    it('gets its response, although headersTimeout is over before the end of its head is read', async () => {
      const app = createApp({ ...CHECKED_OFTEN, headersTimeout: 60 })
      app.get('/', () => 'hello')
      const socket = await openSocket(app)
      await ask(socket, GET, 'hello')
      socket.write(GET.slice(0, 20))
      await new Promise((resolve) => setTimeout(resolve, 10))
      socket.write(GET.slice(20))
      const end = performance.now() + 200
      while (performance.now() < end);
      expect(await ask(socket, '', 'hello')).toMatch(/^HTTP\/1\.1 200 /)
      socket.destroy()
    })
  },
  ['wire'],
)
