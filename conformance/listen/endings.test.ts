// How connections end: nothing is held for ever, and no response is cut or written into.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Writable, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { createGate, never, tick } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const BIG = 'x'.repeat(8_000_000)
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

/** Reads to the end of a connection; `first` resolves with the first bytes. */
function read(socket: Socket): { first: Promise<void>; all: Promise<string> } {
  let text = ''
  const first = createGate()
  const all = createGate<string>()
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    first.open()
  })
  socket.on('error', () => {})
  socket.on('close', () => all.open(text))
  return { first: first.promise, all: all.promise }
}

describe('listen: close() ends', () => {
  const createApp = useApps({ forceCloseConnections: 'idle', closeGraceMs: 150 })

  ours('the peers wait for the client')('although an upgraded connection is open', async () => {
    const app = createApp()
    await app.ready()
    app.server.on('upgrade', (_incoming, socket) => {
      socket.on('error', () => {})
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n')
    })
    const socket = await openSocket(app)
    const { first, all } = read(socket)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n')
    await first
    await app.close()
    expect(await all).toMatch(/^HTTP\/1\.1 101/)
  })

  ours('the peers wait for the hook')('although hooks never end, and names them in the log', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { level: 'error', stream: sink.stream } })
    const ran: string[] = []
    app.addHook('onClose', async () => void ran.push('the other'))
    app.addHook('onClose', function forgetful() {
      return never()
    })
    app.addHook('preClose', function endless() {
      return never()
    })
    await app.ready()
    await expect(app.close()).rejects.toThrow(/'endless' added at .*endings\.test\.ts/)
    expect(ran).toEqual(['the other'])
    const messages = sink.lines.map(({ msg }) => String(msg))
    expect(messages).toEqual([expect.stringContaining("'endless'"), expect.stringContaining("'forgetful'")])
  })

  ours('the peers wait for the client')('although a client does not read its response', async () => {
    const app = createApp()
    app.get('/', () => BIG)
    const socket = await openSocket(app)
    const left = once(app.server, 'close')
    socket.on('error', () => {})
    socket.pause()
    socket.write(GET)
    await once(app.server, 'request')
    await app.close()
    await left
    socket.destroy()
    expect(app.server.listening).toBe(false)
  })
})

describe('listen: close() cuts no response', () => {
  const createApp = useApps({ forceCloseConnections: 'idle', closeGraceMs: 20_000 })

  ours('the peers cut it')('that its client is still reading', async () => {
    const app = createApp()
    app.get('/', () => BIG)
    const socket = await openSocket(app)
    socket.pause()
    socket.write(GET)
    await once(app.server, 'request')
    const { all } = read(socket)
    socket.pause()
    const closed = app.close()
    for (let turns = 0; turns < 20; turns++) await tick()
    socket.resume()
    expect((await all).length).toBeGreaterThan(BIG.length)
    await closed
  })

  ours('the peers keep the connection')('and says in it that the connection ends', async () => {
    const app = createApp()
    const arrived = createGate()
    const release = createGate()
    app.get('/', async () => {
      arrived.open()
      await release.promise
      return 'in time'
    })
    const socket = await openSocket(app)
    const { all } = read(socket)
    socket.write(GET)
    await arrived.promise
    const closed = app.close()
    await vi.waitFor(() => expect(app.server.listening).toBe(false))
    release.open()
    expect(await all).toMatch(/\r\nConnection: close\r\n[^]*in time$/)
    await closed
  })
})

describe('listen: bytes that are no request', () => {
  const createApp = useApps()

  ours('the peers write the 400 in its place')(
    'get a response after the responses that are due',
    async () => {
      const app = createApp()
      const release = createGate()
      app.get('/', async () => {
        await release.promise
        return 'good'
      })
      const socket = await openSocket(app)
      const { all } = read(socket)
      socket.write(`${GET}NOT HTTP\r\n\r\n`)
      // Some transports look at bytes only when it is their turn.
      await Promise.race([once(app.server, 'clientError'), sleep(50)])
      release.open()
      const text = await all
      expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '400'])
      expect(text.indexOf('good')).toBeLessThan(text.indexOf('400'))
    },
  )

  ours('the peers write into it')('never get a response in the midst of another response', async () => {
    const app = createApp()
    const release = createGate()
    app.post('/', async (incoming, reply) => {
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { 'content-type': 'text/plain' })
      raw.write('begun')
      await release.promise
      raw.end('ended')
    })
    app.addContentTypeParser('application/x-own', (_incoming, payload: Readable, done) => {
      payload.on('error', () => release.open())
      done(null, null)
    })
    const socket = await openSocket(app)
    const { first, all } = read(socket)
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-own\r\n'
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`)
    await first
    socket.write('zz\r\n')
    const text = await all
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200'])
    expect(text).toContain('ended')
  })

  ours('the peers hold it')('end the connection of a client that keeps its side open', async () => {
    const app = createApp({ headersTimeout: 50, http: { connectionsCheckingInterval: 20 } })
    const socket = await openSocket(app)
    socket.allowHalfOpen = true
    const { all } = read(socket)
    socket.write('GET / HTTP/1.1\r\nHost:')
    const dropped = vi.waitFor(
      async () => {
        const count = await new Promise((resolve) => {
          app.server.getConnections((_error, open) => resolve(open))
        })
        expect(count).toBe(0)
      },
      { timeout: 10_000, interval: 50 },
    )
    await dropped
    socket.destroy()
    expect(await all).toMatch(/^HTTP\/1\.1 408/)
  })

  ours('the peers take the longer one').each(['auto', 'node'])(
    'end a body that stops at requestTimeout, although headersTimeout is longer, over %s',
    async (transport) => {
      const http = { connectionsCheckingInterval: 20 }
      const app = createApp({ transport, requestTimeout: 50, headersTimeout: 60_000, http })
      app.post('/', () => 'x')
      const socket = await openSocket(app)
      const { all } = read(socket)
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nabc')
      expect(await all).toMatch(/^HTTP\/1\.1 408/)
    },
  )

  ours('the peers go on')('behind a response that closes the connection are not handled', async () => {
    const app = createApp({ bodyLimit: 10 })
    let handled = 0
    app.post('/', () => 'x')
    app.get('/', () => {
      handled++
      return 'x'
    })
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 40\r\n\r\n'
    const response = await rawSocket(app, `${head}${'x'.repeat(40)}${GET}`)
    expect([response.statuses, handled]).toEqual([[413], 0])
  })
})

describe('listen: clients that do not read', () => {
  const createApp = useApps()

  ours('the peers hold the response for ever')('are given up after writeTimeout', async () => {
    const sink = createLogSink()
    const app = createApp({
      writeTimeout: 50,
      logger: { level: 'info', stream: sink.stream },
      disableRequestLogging: true,
    })
    app.get('/', () => BIG)
    const socket = await openSocket(app)
    socket.pause()
    socket.on('error', () => {})
    socket.write(GET)
    await sink.line(/has read nothing of its response for 50 ms/)
    socket.destroy()
    expect(sink.lines.length).toBeGreaterThan(0)
  })

  ours('the peers handle all at once')('hold one response, whatever they pipeline', async () => {
    const app = createApp()
    let handled = 0
    app.get('/', () => {
      handled++
      return BIG
    })
    const socket = await openSocket(app)
    socket.pause()
    socket.on('error', () => {})
    socket.write(GET.repeat(8))
    await once(app.server, 'request')
    for (let turns = 0; turns < 20; turns++) await tick()
    expect(handled).toBe(1)
    const { all } = read(socket)
    socket.resume()
    await vi.waitFor(() => expect(handled).toBe(8), { timeout: 10_000 })
    socket.destroy()
    expect((await all).startsWith('HTTP/1.1 200')).toBe(true)
  })
})

describe('listen: 100 Continue', () => {
  const createApp = useApps()
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\n'

  ours('the peers send it before they look')('is not sent to a request that is refused', async () => {
    const app = createApp({ bodyLimit: 10 })
    app.post('/', (incoming) => incoming.body)
    const refused = await rawSocket(app, `${head}Content-Length: 40\r\n\r\n`)
    expect([refused.statuses, refused.headers['connection']]).toEqual([[413], 'close'])
  })

  ours('the peers send it before they look')(
    'is sent when the body is read, and the connection is kept',
    async () => {
      const app = createApp()
      app.post('/', (incoming) => incoming.body)
      app.get('/', () => 'next')
      const socket = await openSocket(app)
      const { first, all } = read(socket)
      socket.write(`${head}Content-Length: 2\r\n\r\n`)
      await first
      socket.write(`hiGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      const text = await all
      expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['100', '200', '200'])
    },
  )
})

describe.each(['node', 'auto'])('100 Continue, over transport: %s', (transport) => {
  const createApp = useApps({ transport })

  it.each([
    ['before the body comes', ['hi']],
    ['with the body', []],
  ])('keeps the connection of a raw response that was read %s', async (_when, later) => {
    const app = createApp()
    app.addHook('onRequest', async (_request, { raw }) => void raw.on('finish', () => {}))
    app.post('/', (_request, reply) => {
      reply.hijack()
      reply.raw.end('own')
    })
    app.get('/last', () => 'next')
    const socket = await openSocket(app)
    const { first, all } = read(socket)
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nExpect: 100-continue\r\n'
    socket.write(`${head}Content-Length: 2\r\n\r\n${later.length === 0 ? 'hi' : ''}`)
    await first
    for (const piece of later) socket.write(piece)
    socket.write('GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await all).toMatch(/HTTP\/1\.1 200 [^]*own[^]*HTTP\/1\.1 200 [^]*next/)
  })
})

describe.each(['node', 'auto'])('a request that is over, over transport: %s', (transport) => {
  const createApp = useApps({ transport })
  const POST = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx'
  const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

  it.each([
    ['has read the body', false],
    ['has sent the response', true],
  ])('is destroyed without its connection, when the app %s', async (_when, isSent) => {
    const app = createApp()
    app.all('/', async ({ raw }: Request, reply: Reply) => {
      const destroy = (): void => void raw.destroy(new Error('planned'))
      if (isSent) reply.raw.on('close', destroy)
      else destroy()
      return 'one'
    })
    app.get('/last', () => 'two')
    const { statuses } = await rawSocket(app, POST + LAST)
    expect(statuses).toEqual([200, 200])
  })
})

describe('listen: bodies that the application leaves unread after its response', () => {
  const createApp = useApps()
  const test = ours('the peers hold back the next request for ever')
  const passBody = (app: App): void => {
    app.addContentTypeParser(
      'x/body',
      (_request: unknown, body: Readable, done: (error: null, body: Readable) => void) => done(null, body),
    )
  }
  const ways: Readonly<Record<string, (body: Readable) => void>> = {
    'a pipe whose target takes no more': (body) => {
      body.on('error', () => {}).pipe(new Writable({ highWaterMark: 1, write: () => {} }))
    },
    'an iterator that nothing asks': (body) => {
      body[Symbol.asyncIterator]()
        .next()
        .catch(() => {})
    },
    'a pause': (body) => {
      body.on('error', () => {}).once('data', () => body.pause())
    },
  }
  for (const transport of ['auto', 'node']) {
    for (const [way, leave] of Object.entries(ways)) {
      test(`hold back the next request no longer than writeTimeout (${transport}, ${way})`, async () => {
        const sink = createLogSink()
        const logger = { level: 'info', stream: sink.stream }
        const app = createApp({ writeTimeout: 50, transport, logger, disableRequestLogging: true })
        passBody(app)
        const failed = createGate<unknown>()
        app.post('/', (request) => {
          const body = Object(request.body)
          leave(body)
          body.on('error', (error: unknown) => failed.open(Reflect.get(Object(error), 'code')))
          return 'early'
        })
        const socket = await openSocket(app)
        socket.on('error', () => {})
        const { all } = read(socket)
        socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: x/body\r\nContent-Length: 1000000\r\n\r\n`)
        socket.write(Buffer.alloc(1_000_000, 'x'))
        socket.write(GET)
        await sink.line(
          /has read nothing of a body, whose response is sent, for 50 ms \(writeTimeout\); its connection is cut/,
        )
        expect(await failed.promise).toBe('ECONNRESET')
        expect(await all).toMatch(/^HTTP\/1\.1 200/)
      })
    }

    test(`are not cut while they are read, however slowly (${transport})`, async () => {
      const app = createApp({ writeTimeout: 1500, transport })
      passBody(app)
      const whole = createGate<number>()
      app.post('/', (request) => {
        const consume = async (): Promise<void> => {
          let size = 0
          for await (const piece of Object(request.body) as AsyncIterable<Buffer>) {
            size += piece.length
            await new Promise((resolve) => setTimeout(resolve, 200))
          }
          whole.open(size)
        }
        void consume()
        return 'early'
      })
      const socket = await openSocket(app)
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: x/body\r\nContent-Length: 1000000\r\n\r\n`)
      socket.write(Buffer.alloc(1_000_000, 'x'))
      expect(await whole.promise).toBe(1_000_000)
      socket.destroy()
    })
  }
})
