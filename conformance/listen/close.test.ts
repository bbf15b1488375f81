// Closing while requests are in flight, and connections that end early.
import { once } from 'node:events'
import * as http from 'node:http'
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { createLogSink } from '../harness/log-lines.ts'
import type { LogLine } from '../harness/log-lines.ts'
import { openSocket, rawSocket } from '../harness/raw-socket.ts'
import { createGate, tick } from '../harness/time.ts'
import { ours, since5, useApps } from '../harness/transports.ts'
import { isPeer } from '../harness/subject.ts'
import { listenOnce } from '../harness/send.ts'

interface Sendable {
  status: number | undefined
  text: string
  headers: http.IncomingHttpHeaders
}

function request(port: number, path: string, agent: http.Agent | false = false): Promise<Sendable> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, agent }, (incoming) => {
        let text = ''
        incoming.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        incoming.on('end', () => resolve({ status: incoming.statusCode, text, headers: incoming.headers }))
      })
      .on('error', reject)
  })
}

describe('listen: closing with requests in flight', () => {
  const createApp = useApps({ forceCloseConnections: 'idle' })

  it('responds to a request that was in flight before onClose runs', async () => {
    const app = createApp()
    const arrived = createGate()
    const release = createGate()
    const order: string[] = []
    app.addHook('onClose', async () => void order.push('onClose'))
    app.get('/slow', async () => {
      arrived.open()
      await release.promise
      order.push('done')
      return 'finished'
    })
    const { port } = await listenOnce(app)
    const response = request(port, '/slow')
    await arrived.promise
    const closed = app.close()
    await tick()
    release.open()
    expect((await response).text).toBe('finished')
    await closed
    expect(order).toEqual(['done', 'onClose'])
  })

  it('responds to what is pipelined behind a response that closes the app', async () => {
    const app = createApp({ forceCloseConnections: false })
    app.get('/', async (_request, reply) => {
      await tick()
      reply.send('x')
      void app.close()
    })
    const one = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
    const { text } = await rawSocket(app, one + one, { until: /200 OK[^]*200 OK[^]*\r\n\r\n/ })
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['200', '200'])
  })

  it('refuses new connections once closed', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    const { port } = await listenOnce(app)
    await app.close()
    await expect(request(port, '/')).rejects.toThrow()
  })

  it('closes although a keep-alive connection is idle', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    const { port } = await listenOnce(app)
    const agent = new http.Agent({ keepAlive: true })
    await request(port, '/', agent)
    await app.close()
    agent.destroy()
    expect(app.server.listening).toBe(false)
  })

  it('responds with 503 to a request on a kept connection while it closes', async () => {
    const app = createApp()
    const release = createGate()
    app.addHook('preClose', async () => release.promise)
    app.get('/', () => 'x')
    const socket = await openSocket(app)
    const closing = app.close()
    await tick()
    let text = ''
    const responded = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        text += chunk.toString()
        if (text.includes('\r\n\r\n')) resolve()
      })
      socket.on('close', () => resolve())
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await responded
    release.open()
    socket.destroy()
    await closing
    expect(text).toMatch(/^HTTP\/1\.1 503/)
    expect(text.toLowerCase()).toContain('connection: close')
  })

  it('responds as usual while it closes when return503OnClosing is off', async () => {
    const app = createApp({ return503OnClosing: false })
    const release = createGate()
    app.addHook('preClose', async () => release.promise)
    app.get('/', () => 'still here')
    const socket = await openSocket(app)
    const closing = app.close()
    await tick()
    let text = ''
    const responded = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        text += chunk.toString()
        if (text.includes('still here')) resolve()
      })
      socket.on('close', () => resolve())
    })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await responded
    release.open()
    await closing
    expect(text).toMatch(/^HTTP\/1\.1 200/)
  })

  it('responds with 503 to first requests that arrived on new connections while a long turn blocked the process', async () => {
    const app = createApp()
    const arrived = createGate()
    const release = createGate()
    app.get('/slow', async () => {
      arrived.open()
      await release.promise
      return 'slow'
    })
    const busy = await openSocket(app)
    busy.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived.promise
    const texts = await Promise.all(Array.from({ length: 10 }, async () => openSocket(app)))
    const heads = texts.map(async (socket) => {
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString()))
      await once(socket, 'close')
      return text.split('\r\n', 1)[0]
    })
    const closing = app.close()
    // The loop runs timers after this turn, before it reads what has arrived.
    await tick()
    for (const socket of texts) socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    const end = performance.now() + 700
    while (performance.now() < end);
    await expect(Promise.all(heads)).resolves.toEqual(texts.map(() => expect.stringMatching(/ 503 /)))
    release.open()
    await closing
    busy.destroy()
  })

  it('destroys all connections when forceCloseConnections is true', async () => {
    const app = createApp({ forceCloseConnections: true })
    const arrived = createGate()
    app.get('/stuck', (_request, _reply) => {
      arrived.open()
    })
    const { port } = await listenOnce(app)
    const response = request(port, '/stuck').then(
      () => 'done',
      () => 'cut',
    )
    await arrived.promise
    await app.close()
    expect(await response).toBe('cut')
  })
})

describe('listen: clients that disconnect', () => {
  const createApp = useApps()

  it('runs onRequestAbort when a client disconnects before its response', async () => {
    const app = createApp()
    const arrived = createGate()
    const aborted = createGate<string>()
    app.addHook('onRequestAbort', async (aborting) => aborted.open(aborting.url))
    app.get('/slow', (_request, _reply) => {
      arrived.open()
    })
    const socket = await openSocket(app)
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived.promise
    socket.destroy()
    expect(await aborted.promise).toBe('/slow')
  })

  it('runs no onResponse for a client that left, and logs no error', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    const arrived = createGate()
    const aborted = createGate()
    const release = createGate()
    let responded = 0
    app.addHook('onRequestAbort', async (_aborting) => aborted.open())
    app.addHook('onResponse', async () => {
      responded += 1
    })
    app.get('/slow', async () => {
      arrived.open()
      await release.promise
      return 'too late'
    })
    const socket = await openSocket(app)
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived.promise
    socket.destroy()
    await aborted.promise
    release.open()
    await app.close()
    expect(responded).toBe(0)
    expect(sink.lines.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })

  ours('the peers log no line at the end of such a request')(
    'logs that a client went away, and a status only when it has seen one',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      const gone = createGate()
      app.addHook('onRequestAbort', async (_aborting) => gone.open())
      const arrived = createGate()
      app.get('/slow', async () => {
        arrived.open()
        await gone.promise
        return 'too late'
      })
      app.get('/stream', (_request, reply) => {
        const endless = new Readable({ read() {} })
        endless.push('first')
        return reply.code(203).type('text/plain').send(endless)
      })
      const socket = await openSocket(app)
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
      await arrived.promise
      socket.destroy()
      expect(await sink.line('request aborted')).toMatchObject({ level: 30, res: { statusCode: null } })

      await rawSocket(app, 'GET /stream HTTP/1.1\r\nHost: x\r\n\r\n', { until: 'first' })
      const isSecond = ({ msg, res }: LogLine): boolean =>
        msg === 'request aborted' && JSON.stringify(res) === '{"statusCode":203}'
      await vi.waitFor(() => expect(sink.lines.some(isSecond)).toBe(true))
      expect(sink.lines.some(({ msg }) => msg === 'request completed')).toBe(false)
    },
  )

  since5('4.x sends no web streams')('cancels a web stream whose client went away', async () => {
    const app = createApp()
    const cancelled = createGate()
    app.get('/web', (_request, reply) => {
      const endless = new ReadableStream({
        start: (controller) => controller.enqueue('first'),
        pull: async () => createGate().promise,
        cancel: () => cancelled.open(),
      })
      return reply.type('text/plain').send(endless)
    })
    await rawSocket(app, 'GET /web HTTP/1.1\r\nHost: x\r\n\r\n', { until: 'first' })
    await expect(cancelled.promise).resolves.toBeUndefined()
  })

  it('runs onRequestAbort of the route, with a callback', async () => {
    const app = createApp()
    const arrived = createGate()
    const aborted = createGate()
    app.get('/slow', {
      onRequestAbort: (_aborting, done) => {
        aborted.open()
        done()
      },
      handler: (_request, _reply) => {
        arrived.open()
      },
    })
    const socket = await openSocket(app)
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrived.promise
    socket.destroy()
    await aborted.promise
    expect(true).toBe(true)
  })

  it('does not run onRequestAbort for a request whose response was sent', async () => {
    const app = createApp()
    let aborted = 0
    app.addHook('onRequestAbort', async (_aborting) => {
      aborted += 1
    })
    app.get('/', () => 'x')
    await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await tick()
    expect(aborted).toBe(0)
  })

  it('survives a client that disconnects in the middle of its body, and serves the next', async () => {
    const app = createApp()
    app.post('/', (incoming) => incoming.body)
    app.get('/', () => 'alive')
    await rawSocket(
      app,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":',
      { end: true },
    )
    const { port } = await listenOnce(app)
    expect((await request(port, '/')).text).toBe('alive')
  })

  it('runs onTimeout when the connection times out', async () => {
    const app = createApp({ connectionTimeout: 20 })
    const timedOut = createGate<string>()
    app.addHook('onTimeout', async (slow) => timedOut.open(slow.url))
    app.get('/slow', (_request, _reply) => undefined)
    await rawSocket(app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await timedOut.promise).toBe('/slow')
  })

  it.each(['node', 'auto'])(
    'does not run onTimeout for a request that the app has taken over, over transport %s',
    async (transport) => {
      const app = createApp({ connectionTimeout: 20, ...(isPeer ? {} : { transport }) })
      const timedOut: string[] = []
      app.addHook('onTimeout', async (slow) => void timedOut.push(slow.url))
      app.get('/own', (_request, reply) => reply.hijack())
      app.get('/slow', (_request, _reply) => undefined)
      // The server closes both connections when their time has passed.
      for (const path of ['/own', '/slow']) await rawSocket(app, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await vi.waitFor(() => expect(timedOut).toContain('/slow'))
      expect(timedOut).toEqual(['/slow'])
    },
  )

  it.each(['node', 'auto'])(
    'leaves a connection that waits for its next request to keepAliveTimeout, over transport %s',
    async (transport) => {
      const app = createApp({ connectionTimeout: 20, ...(isPeer ? {} : { transport }) })
      app.get('/', () => 'x')
      app.get('/slow', (_request, _reply) => undefined)
      const kept = await openSocket(app)
      kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(kept, 'data')
      // Its time begins later, so that of the connection above has passed with it.
      await rawSocket(app, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
      kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      const [again]: unknown[] = await once(kept, 'data')
      expect(String(again)).toMatch(/^HTTP\/1.1 200 /)
      kept.destroy()
    },
  )

  since5('4.x has no deadline for handlers')('responds with 503 when a handler takes too long', async () => {
    const app = createApp({ handlerTimeout: 20 })
    let aborted = false
    app.get('/slow', async (slow) => {
      const { signal } = slow
      if (!(signal instanceof AbortSignal)) return 'no signal'
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
      aborted = true
      return 'too late'
    })
    const { port } = await listenOnce(app)
    expect((await request(port, '/slow')).status).toBe(503)
    expect(aborted).toBe(true)
  })
})

describe('listen: bytes that are not HTTP', () => {
  const createApp = useApps()

  it('responds with 400 as JSON to a malformed request, and closes', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    const response = await rawSocket(app, 'NOT HTTP AT ALL\r\n\r\n')
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body)).toMatchObject({ statusCode: 400, error: 'Bad Request' })
  })

  ours('on the peers the process ends')('outlives a clientErrorHandler that throws', async () => {
    const app = createApp({
      clientErrorHandler() {
        throw new Error('in the handler')
      },
    })
    app.get('/', () => 'alive')
    expect((await rawSocket(app, 'NOT HTTP\r\n\r\n')).text).toBe('')
    const next = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(next.body).toBe('alive')
  })

  it('responds with 400 to a request of HTTP/1.1 without a Host header', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    const missing = await rawSocket(app, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(missing.status).toBe(400)
  })

  ours('the peers take the first one')(
    'responds with 400 to a request with more than one Host header, and closes',
    async () => {
      const app = createApp()
      const seen: string[] = []
      app.get('/', (request) => {
        seen.push(request.host)
        return 'x'
      })
      for (const hosts of ['Host: a\r\nHost: b\r\n', 'Host: a\r\nX-Other: 1\r\nhOST: a\r\n']) {
        const response = await rawSocket(app, `GET / HTTP/1.1\r\n${hosts}\r\n`)
        expect([response.status, JSON.parse(response.body)]).toEqual([
          400,
          {
            statusCode: 400,
            code: 'CLO_ERR_HOST_AMBIGUOUS',
            error: 'Bad Request',
            message: 'The request names more than one host; exactly one is allowed',
          },
        ])
        expect(response.headers['connection']).toBe('close')
      }
      const empty = await rawSocket(app, 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')
      expect([empty.status, seen]).toEqual([200, ['']])
    },
  )

  it('gives malformed requests to clientErrorHandler', async () => {
    const app = createApp({
      clientErrorHandler(error: Error & { code?: string }, socket: { end: (text: string) => void }) {
        socket.end(`HTTP/1.1 418 x\r\nContent-Length: 0\r\nX-Code: ${error.code ?? ''}\r\n\r\n`)
      },
    })
    const response = await rawSocket(app, 'NOT HTTP AT ALL\r\n\r\n')
    expect([response.status, response.headers['x-code']]).toEqual([418, 'HPE_INVALID_METHOD'])
  })

  it('responds with 431 to headers that are too large', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    const response = await rawSocket(app, `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(response.status).toBe(431)
  })

  it('sends 100 before it reads a body that waits for it', async () => {
    const app = createApp()
    app.post('/', (incoming) => incoming.body)
    const response = await rawSocket(
      app,
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\nhi',
    )
    // A server that has the body already may omit the 100 (RFC 9110 section 10.1.1), as the engine does.
    expect([[100, 200], [200]]).toContainEqual(response.statuses)
    expect(response.text).toMatch(/hi$/)
  })

  it('passes upgrades to the server', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    await app.ready()
    app.server.on('upgrade', (_incoming, socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\nupgraded')
    })
    const response = await rawSocket(
      app,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n',
    )
    expect([response.status, response.body]).toEqual([101, 'upgraded'])
  })

  ours("Node's parser drops what follows such a request")(
    'an upgrade that nobody takes is ignored, and the requests behind it are served on the same connection',
    async () => {
      const app = createApp()
      app.get('/:name', (request) => request.params)
      app.post('/:name', (request) => request.body)
      const lines =
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n'
      const upload = `POST /b HTTP/1.1\r\nHost: x\r\n${lines}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi`
      const { statuses, text } = await rawSocket(
        app,
        `GET /a HTTP/1.1\r\nHost: x\r\n${lines}\r\n${upload}GET /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      )
      expect(statuses).toEqual([200, 200, 200])
      expect(text).toMatch(/\{"name":"a"\}[^]*\r\n\r\nhi[^]*\{"name":"c"\}$/)
    },
  )

  it('serves an HTTP/1.0 client and closes', async () => {
    const app = createApp()
    app.get('/', () => 'old')
    const response = await rawSocket(app, 'GET / HTTP/1.0\r\nHost: x\r\n\r\n')
    expect([response.status, response.body]).toEqual([200, 'old'])
  })

  ours('in the peers it ends the process')(
    'responds as usual when what decides about log lines throws',
    async () => {
      const app = createApp({
        logger: { level: 'info', stream: createLogSink().stream },
        disableRequestLogging: () => {
          throw new Error('cannot decide')
        },
      })
      app.get('/', () => 'x')
      const response = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      expect(response.status).toBe(200)
    },
  )

  ours('in the peers it ends the process')('responds with 500 when rewriteUrl throws', async () => {
    const app = createApp({
      rewriteUrl: () => {
        throw new Error('cannot rewrite')
      },
    })
    app.get('/', () => 'x')
    const response = await rawSocket(app, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(response.status).toBe(500)
  })

  ours('the peers wait for the client')('does not wait for connections that never said a word', async () => {
    const app = createApp({ forceCloseConnections: 'idle', closeGraceMs: 0 })
    app.get('/', () => 'x')
    const socket = await openSocket(app)
    const ended = once(socket, 'close')
    socket.resume()
    await app.close()
    await ended
    expect(socket.bytesRead).toBe(0)
  })

  ours('the log of the peers speaks of a reset')(
    'logs a body that broke off by its code, and runs no handler',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { level: 'warn', stream: sink.stream } })
      let handled = false
      app.post('/', () => {
        handled = true
        return 'x'
      })
      const socket = await openSocket(app)
      const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n'
      socket.write(`${head}{"a"`)
      await once(app.server, 'request')
      socket.resetAndDestroy()
      await vi.waitFor(() => expect(sink.lines).toHaveLength(1))
      expect([sink.lines[0]?.['msg'], handled]).toEqual([
        'the request failed after its client had gone; the response is discarded',
        false,
      ])
      expect(sink.lines[0]).toMatchObject({ err: { code: 'CLO_ERR_CTP_BODY_ABORTED' } })
    },
  )
})
