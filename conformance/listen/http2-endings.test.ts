// How streams and sessions of HTTP/2 end: nothing is held for ever, and close() ends whatever is open.
import { once, type EventEmitter } from 'node:events'
import * as http2 from 'node:http2'
import { connect } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, vi } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { frame, PREFACE, TYPE } from '../harness/http2-frames.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { listenOnce } from '../harness/send.ts'
import { createGate, never } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const BIG = 'x'.repeat(2_000_000)

/** Sends half a body over a session, and after a while its rest, and a request over a session that was idle. */
const BUSY_CLIENT = `
  const { connect } = require('node:http2')
  const { parentPort, workerData } = require('node:worker_threads')
  const open = () => connect('http://127.0.0.1:' + workerData.port).on('error', () => {})
  const read = (stream) => new Promise((resolve) => {
    let result = 'none'
    stream.on('response', (head) => (result = head[':status'] + ' ')).on('data', (bytes) => (result += bytes))
    stream.on('error', () => {}).on('close', () => resolve(result))
  })
  const [posting, idle] = [open(), open()]
  const post = posting.request({ ':method': 'POST', ':path': '/', 'content-type': 'text/plain' })
  const results = [read(post)]
  post.write('wh', () => setTimeout(() => {
    parentPort.postMessage('busy')
    setTimeout(async () => {
      post.end('ole')
      results.push(read(idle.request({ ':path': '/' })))
      parentPort.postMessage(await Promise.all(results))
      for (const session of [posting, idle]) session.destroy()
    }, 200)
  }, 100))
`
const sessions = new Set<http2.ClientHttp2Session>()

afterEach(() => {
  for (const session of sessions) session.destroy()
  sessions.clear()
})

async function openSession(app: App, settings: http2.Settings = {}): Promise<http2.ClientHttp2Session> {
  const { port } = await listenOnce(app)
  const session = http2.connect(`http://127.0.0.1:${port}`, { settings })
  session.on('error', () => {})
  sessions.add(session)
  await once(session, 'connect')
  return session
}

function request(
  session: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
): http2.ClientHttp2Stream {
  const stream = session.request(headers, { endStream: headers[':method'] === undefined })
  stream.on('error', () => {})
  return stream
}

/** The status of a response, 0 when there is none, and its text. */
async function read(stream: http2.ClientHttp2Stream): Promise<[status: number, text: string]> {
  let status = 0
  let text = ''
  stream.on('response', (head) => {
    status = head[':status'] ?? 0
  })
  stream.on('data', (chunk) => {
    text += String(chunk)
  })
  if (!stream.closed) await once(stream, 'close')
  return [status, text]
}

describe('listen: HTTP/2 deadlines', () => {
  const createApp = useApps({ http2: true, closeGraceMs: 100 })
  const test = ours('the peers hold it for ever')

  test('give up a client that reads nothing', async () => {
    const sink = createLogSink()
    const logger = { level: 'info', stream: sink.stream }
    const app = createApp({ writeTimeout: 50, logger, disableRequestLogging: true })
    app.get('/', () => BIG)
    const session = await openSession(app)
    request(session, { ':path': '/' })
    const closed = once(session, 'close')
    await sink.line(/has read nothing of its response for 50 ms \(writeTimeout\); its connection is cut/)
    await closed
    expect(session.destroyed).toBe(true)
  })

  test('give up one stream that is not read, and no other of its session', async () => {
    const sink = createLogSink()
    const logger = { level: 'info', stream: sink.stream }
    const app = createApp({ writeTimeout: 1500, logger, disableRequestLogging: true })
    const half = 'x'.repeat(60_000)
    const release = createGate()
    app.get('/unread', (_request, reply) => reply.type('text/plain').send(Readable.from([half, half, half])))
    app.get('/steady', (_request, reply) => {
      const drip = async function* (): AsyncGenerator<string> {
        for (let piece = 0; piece < 1000; piece++) {
          yield 'drop'
          const pause = new Promise<string>((resolve) => setTimeout(resolve, 100, 'go on'))
          if ((await Promise.race([release.promise, pause])) !== 'go on') return
        }
      }
      return reply.type('text/plain').send(Readable.from(drip()))
    })
    // The session may receive more than this stream.
    const session = await openSession(app, { initialWindowSize: 16_384 })
    const unread = request(session, { ':path': '/unread' })
    const gone = once(unread, 'close')
    const steady = read(request(session, { ':path': '/steady' }))
    await sink.line(/its stream is cut/)
    release.open()
    unread.resume()
    await gone
    expect((await steady)[0]).toBe(200)
    expect([unread.rstCode, session.destroyed]).toEqual([http2.constants.NGHTTP2_CANCEL, false])
  })

  test('get 408 for a body that does not arrive', async () => {
    const app = createApp({ requestTimeout: 50 })
    app.post('/', (incoming) => incoming.body)
    const session = await openSession(app)
    const stream = request(session, { ':path': '/', ':method': 'POST', 'content-type': 'text/plain' })
    stream.write('a')
    const [status, text] = await read(stream)
    expect([status, text]).toEqual([408, expect.stringContaining('CLO_ERR_CTP_BODY_TIMEOUT')])
    const next = request(session, { ':path': '/', ':method': 'POST', 'content-type': 'text/plain' })
    next.end('whole')
    expect(await read(next)).toEqual([200, 'whole'])
  })

  test('end a stream whose body does not arrive and is not read', async () => {
    const app = createApp({ requestTimeout: 50 })
    app.addContentTypeParser('application/x-own', () => never())
    app.post('/', () => 'x')
    const session = await openSession(app)
    const head = { ':path': '/', ':method': 'POST', 'content-type': 'application/x-own' }
    const stream = request(session, head)
    stream.write('a')
    expect((await read(stream))[0]).toBe(0)
    expect(session.destroyed).toBe(false)
  })

  test('take what has arrived while the process was busy, although its time is over', async () => {
    const app = createApp({ requestTimeout: 500, http2SessionTimeout: 500 })
    app.post('/', (incoming) => incoming.body)
    app.get('/', () => 'hello')
    const { port } = await listenOnce(app)
    // A thread of its own sends while this one is busy.
    const client = new Worker(BUSY_CLIENT, { eval: true, workerData: { port } })
    await once(client, 'message')
    const end = performance.now() + 2500
    while (performance.now() < end);
    const [results] = await once(client, 'message')
    expect(results).toEqual(['200 whole', '200 hello'])
  })

  test('let a response go on whose request arrived in time', async () => {
    const app = createApp({ requestTimeout: 50, writeTimeout: 50 })
    app.get('/', async () => {
      await new Promise((resolve) => setTimeout(resolve, 2200))
      return 'late'
    })
    const session = await openSession(app)
    expect(await read(request(session, { ':path': '/' }))).toEqual([200, 'late'])
  })

  test('keep a session open whose request takes longer than the session may be idle', async () => {
    const app = createApp({ http2SessionTimeout: 500, headersTimeout: 500 })
    app.get('/', async () => {
      await new Promise((resolve) => setTimeout(resolve, 3500))
      return 'late'
    })
    const session = await openSession(app)
    const left: unknown[] = []
    session.on('goaway', () => left.push(performance.now()))
    expect(await read(request(session, { ':path': '/' }))).toEqual([200, 'late'])
    expect(left).toEqual([])
  })

  test('end a session without requests, whatever else is sent on it', async () => {
    const app = createApp({ http2SessionTimeout: 1500 })
    const session = await openSession(app)
    const pings = setInterval(() => void (session.destroyed || session.ping(() => {})), 100)
    await once(session, 'close')
    clearInterval(pings)
    expect(session.destroyed).toBe(true)
  })

  test('emit the timeout of an idle session to listeners of the application', async () => {
    const app = createApp({ http2SessionTimeout: 200 })
    const idle = new Promise((resolve) => {
      app.server.on('session', (session: EventEmitter) => session.once('timeout', () => resolve('timeout')))
    })
    const session = await openSession(app)
    expect(await idle).toBe('timeout')
    await once(session, 'close')
  })

  test('end a connection that says nothing of HTTP/2', async () => {
    const app = createApp({ http2SessionTimeout: 500 })
    const { port } = await listenOnce(app)
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })

  test('open no more streams at once than are allowed', async () => {
    const app = createApp()
    const session = await openSession(app)
    await vi.waitFor(() => expect(session.remoteSettings.maxConcurrentStreams).toBe(128))
  })
})

describe('listen: uploads over HTTP/2 that nothing reads', () => {
  const createApp = useApps({ http2: true, closeGraceMs: 100 })
  const test = ours('the peers reset some of these streams')
  const upload = Buffer.alloc(300_000, 'x')
  const createRefusing = (): App => {
    const app = createApp({ bodyLimit: 1_000_000 })
    app.addContentTypeParser('x/unread', (_request: unknown, _body: unknown, done: (error: null) => void) =>
      done(null),
    )
    app.addHook('onRequest', async (request, reply) => {
      if (request.url === '/hook') return reply.code(401).send('no')
    })
    app.post('/parser', () => 'not read')
    return app
  }
  const post = async (session: http2.ClientHttp2Session, path: string, type: string) => {
    const stream = request(session, { ':method': 'POST', ':path': path, 'content-type': type })
    stream.end(upload)
    const [status] = await read(stream)
    return [status, stream.rstCode]
  }

  test('end their stream with the response', async () => {
    const session = await openSession(createRefusing())
    expect(await post(session, '/hook', 'x/unread')).toEqual([401, 0])
    expect(await post(session, '/parser', 'x/unread')).toEqual([200, 0])
    expect(await post(session, '/parser', 'x/none')).toEqual([415, 0])
    expect(await post(session, '/missing', 'x/none')).toEqual([404, 0])
  })

  test('end their stream behind a mounted handler that begins to read, or touches its request alone', async () => {
    const app = createApp({ bodyLimit: 1_000_000 })
    const mount = (prefix: string, handler: (incoming: Request) => unknown): void => {
      Reflect.apply(Object(app).mount, app, [prefix, handler])
    }
    mount('/touch', (incoming) => new Response(incoming.body === null ? 'none' : 'some'))
    mount('/begin', async (incoming) => {
      await incoming.body?.getReader().read()
      return new Response('begun')
    })
    const session = await openSession(app)
    expect(await post(session, '/touch/a', 'x/unread')).toEqual([200, 0])
    expect(await post(session, '/begin/a', 'x/unread')).toEqual([200, 0])
  })

  test('do not hold back onResponse', async () => {
    const app = createRefusing()
    const response = createGate()
    app.addHook('onResponse', async () => response.open(undefined))
    const session = await openSession(app)
    const stream = request(session, { ':method': 'POST', ':path': '/hook', 'content-type': 'x/unread' })
    stream.write(upload)
    await response.promise
    expect(stream.closed).toBe(false)
    stream.end()
    expect(await read(stream)).toEqual([401, 'no'])
  })

  test('are given up after writeTimeout if their reader takes no more, and never while it takes some', async () => {
    const sink = createLogSink()
    const logger = { level: 'info', stream: sink.stream }
    const app = createApp({ writeTimeout: 1500, logger, disableRequestLogging: true })
    app.addContentTypeParser(
      'x/body',
      (_request: unknown, body: Readable, done: (error: null, body: Readable) => void) => done(null, body),
    )
    app.post('/stalled', (incoming) => {
      Object(incoming.body).pipe(new Writable({ highWaterMark: 1, write: () => {} }))
      return 'early'
    })
    let bytes = 0
    app.post('/slow', (incoming) => {
      const write = (chunk: Buffer, _encoding: unknown, done: () => void): void => {
        bytes += chunk.length
        setTimeout(done, 100)
      }
      Object(incoming.body).pipe(new Writable({ highWaterMark: 1, write }))
      return 'early'
    })
    const session = await openSession(app)
    const slow = post(session, '/slow', 'x/body')
    expect(await post(session, '/stalled', 'x/body')).toEqual([200, http2.constants.NGHTTP2_CANCEL])
    await sink.line(
      /nothing of a body, whose response is sent, for 1500 ms \(writeTimeout\); its stream is cut/,
    )
    expect(await slow).toEqual([200, 0])
    expect(bytes).toBe(upload.length)
  })

  test('leave the session as many streams as before', async () => {
    const session = await openSession(createRefusing())
    for (let round = 0; round < 25; round++) {
      const posts = Array.from({ length: 8 }, () => post(session, '/hook', 'x/unread'))
      expect(new Set((await Promise.all(posts)).map(String))).toEqual(new Set(['401,0']))
    }
  })
})

describe('listen: close() over HTTP/2 ends', () => {
  const createApp = useApps({ http2: true, closeGraceMs: 200, writeTimeout: 0 })
  const test = ours('the peers wait for the client')

  const OPEN: readonly (readonly [what: string, path: string, method?: string])[] = [
    ['an idle session', ''],
    ['a handler that never responds', '/never'],
    ['a response that is not read', '/big'],
    ['a stream that never ends', '/mute'],
    ['a body that never ends', '/', 'POST'],
    ['a reply that was taken over', '/taken'],
  ]
  for (const [what, path, method] of OPEN) {
    for (const force of ['idle', true, false] as const) {
      test(`with ${what} (forceCloseConnections: ${force})`, async () => {
        const app = createApp({ forceCloseConnections: force })
        app.get('/never', () => never())
        app.get('/big', () => BIG)
        app.get('/taken', (_request, reply) => void reply.hijack())
        app.get('/mute', (_request, reply) => {
          const source = new Readable({ read() {} })
          source.push('a')
          return reply.type('text/plain').send(source)
        })
        app.post('/', (incoming) => incoming.body)
        const session = await openSession(app)
        if (path !== '') {
          const arrived = once(app.server, 'request')
          const head = { ':path': path, ...(method === undefined ? {} : { ':method': method }) }
          const stream = request(session, { ...head, 'content-type': 'text/plain' })
          if (method !== undefined) stream.write('a')
          await arrived
        }
        const closed = session.closed ? Promise.resolve() : once(session, 'close')
        await app.close()
        await closed
        expect(app.server.listening).toBe(false)
      })
    }
  }

  test('at once with forceCloseConnections: true, whatever is open', async () => {
    const app = createApp({ forceCloseConnections: true, closeGraceMs: 0 })
    app.get('/', () => never())
    const session = await openSession(app)
    const arrived = once(app.server, 'request')
    const stream = request(session, { ':path': '/' })
    stream.on('error', () => {})
    await arrived
    const closed = once(session, 'close')
    await app.close()
    await closed
  }, 10_000)

  test('with a stream that has become a tunnel', async () => {
    const app = createApp({ forceCloseConnections: 'idle' })
    await app.ready()
    app.server.on('connect', (_incoming, given) => {
      const response: http2.Http2ServerResponse = Object(given)
      response.writeHead(200)
      response.write('a')
    })
    const session = await openSession(app)
    const stream = request(session, { ':method': 'CONNECT', ':authority': 'x' })
    await once(stream, 'response')
    await app.close()
    expect(app.server.listening).toBe(false)
  })

  test('with a client that keeps its side open', async () => {
    const app = createApp({ closeGraceMs: 0 })
    const { port } = await listenOnce(app)
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.write(Buffer.concat([Buffer.from(PREFACE), frame(TYPE.settings, 0, 0)]))
    await once(socket, 'data')
    const closed = once(socket, 'close')
    socket.resume()
    await app.close()
    socket.end()
    await closed
    expect(app.server.listening).toBe(false)
  })

  test('after the responses that end within the grace period', async () => {
    const app = createApp({ forceCloseConnections: 'idle', closeGraceMs: 20_000 })
    const arrived = createGate()
    const release = createGate()
    app.get('/', async () => {
      arrived.open()
      await release.promise
      return BIG
    })
    const session = await openSession(app)
    const received = read(request(session, { ':path': '/' }))
    await arrived.promise
    const closed = app.close()
    await vi.waitFor(() => expect(app.server.listening).toBe(false))
    release.open()
    expect((await received)[1].length).toBe(BIG.length)
    await closed
  })
})
