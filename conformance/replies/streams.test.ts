// Streams as payloads: what is refused, what is announced, and what the log says where they fail.
import { EventEmitter, once } from 'node:events'
import * as http2 from 'node:http2'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App, Reply } from '../harness/app-shape.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { listenOnce } from '../harness/send.ts'
import { code } from '../harness/subject.ts'
import { createGate } from '../harness/time.ts'
import { describeTransports } from '../harness/transports.ts'

/** A source gives at most so many pieces until a timer of one millisecond has run. */
const MAX_PIECES = 300_000

type Next = () => string | null

function* pieces(next: Next): Generator<string> {
  for (let piece = next(); piece !== null; piece = next()) yield piece
}

const ENDLESS: Record<string, (next: Next) => unknown> = {
  'a stream of Node': (next) =>
    new Readable({
      read() {
        try {
          this.push(next())
        } catch (error) {
          this.destroy(Object(error))
        }
      },
    }),
  'a generator': (next) => Readable.from(pieces(next)),
  'a stream that is also read elsewhere': (next) => Readable.from(pieces(next)).on('data', () => {}),
  'a web stream': (next) =>
    new ReadableStream({
      pull(controller) {
        const piece = next()
        if (piece === null) controller.close()
        else controller.enqueue(Buffer.from(piece))
      },
    }),
}

describeTransports('replies: streams', ({ createApp, send, since5, ours, overNode, unlessFetch, expect }) => {
  const named = Object.entries(ENDLESS)
  ours('the peers block the event loop').each(named)(
    'leaves timers and signals their turn: %s that always has more',
    async (_name, sourceOf) => {
      const app = createApp()
      app.get('/', (_request, reply) => {
        let isOver = false
        let given = 0
        setTimeout(() => {
          isOver = true
        }, 1)
        const next = (): string | null => {
          given += 1
          if (given > MAX_PIECES) throw new Error('the timer got no turn')
          return isOver ? null : 'piece'
        }
        return reply.type('text/plain').send(sourceOf(next))
      })
      const { status, text } = await send(app, { path: '/' })
      expect([status, text.startsWith('piecepiece')]).toEqual([200, true])
    },
  )

  since5('4.x has no web streams')('refuses a web stream that has a reader', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => {
      const source = new ReadableStream()
      source.getReader()
      return reply.send(source)
    })
    const response = await send(app, { path: '/' })
    expect([response.status, response.json()]).toMatchObject([
      500,
      { code: code('REP_READABLE_STREAM_LOCKED') },
    ])
  })

  unlessFetch('no Response has trailers', since5('4.x loses them'))(
    'announces the trailers that follow a stream',
    async () => {
      const app = createApp()
      app.get('/', (_request, reply) => reply.trailer('x-end', async () => 'e').send(Readable.from(['text'])))
      const { headers, trailers } = await send(app, { path: '/' })
      expect([headers['trailer'], trailers]).toEqual(['x-end', { 'x-end': 'e' }])
    },
  )

  overNode('writes to the raw response', ours('the words differ'))(
    'warns where the head was sent through the raw response',
    async () => {
      const sink = createLogSink()
      const app = createApp({ logger: { stream: sink.stream } })
      app.get('/', (_request, reply) => {
        reply.raw.writeHead(202)
        reply.raw.write('head and ')
        return reply.send(Readable.from(['stream']))
      })
      const response = await send(app, { path: '/' })
      expect([response.status, response.text]).toEqual([202, 'head and stream'])
      expect(await sink.line(/headers were sent already/)).toMatchObject({ level: 40 })
    },
  )

  ours('4.x and 5.x log it at another level')('logs once why a stream failed that had begun', async () => {
    const sink = createLogSink()
    const app = createApp({ logger: { stream: sink.stream } })
    app.get('/', (_request, reply) => {
      const source = async function* (): AsyncGenerator<string> {
        yield await Promise.resolve('begun')
        throw new Error('broken source')
      }
      return reply.send(Readable.from(source()))
    })
    await expect(send(app, { path: '/' })).rejects.toThrow()
    await sink.line(/./)
    const failures = sink.lines.filter(({ err }) => Object(err).message === 'broken source')
    expect(failures.map(({ msg }) => msg)).toEqual([
      'response terminated with an error with headers already sent',
    ])
  })
})

const CHUNK = new Uint8Array(64 * 1024)
/** More than the buffers of a loopback connection hold. */
const MAX_CHUNKS = 400

/** Asks for `/`, and reads nothing of the response; returns how the client leaves. */
async function askWithoutReading(app: App, transport: string): Promise<() => void> {
  if (transport === 'http2') {
    const { address, port } = await listenOnce(app)
    const session = http2.connect(`http://${address}:${port}`)
    session
      .request({ ':path': '/' })
      .pause()
      .on('error', () => {})
    return () => session.destroy()
  }
  const socket = await openSocket(app)
  socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  return () => void socket.destroy()
}

const RESPONDERS = {
  send: (reply: Reply) => reply.code(404).send({ nothing: 'there' }),
  callNotFound: (reply: Reply) => reply.callNotFound(),
}

describeTransports('replies: streams that fail at once', ({ createApp, send, it, ours, expect }) => {
  const failingApp = (respond: (reply: Reply) => unknown, isOwn = false): App => {
    const app = createApp()
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ nothing: 'there' }))
    app.get('/', (_request, reply) => {
      const file = new Readable({ read() {} })
      file.on('error', () => respond(reply))
      setImmediate(() => file.destroy(new Error('no such file')))
      if (isOwn) reply.header('content-length', 5).header('content-encoding', 'x-own')
      return reply.send(file)
    })
    return app
  }

  for (const [name, respond] of Object.entries(RESPONDERS)) {
    it(`a listener of the error responds by ${name}`, async () => {
      const { status, text } = await send(failingApp(respond), { path: '/' })
      expect([status, text]).toEqual([404, '{"nothing":"there"}'])
    })

    ours('Fastify keeps the fields, and sends both')(
      `a listener of the error responds by ${name}, without the fields of the file, while a hook waits`,
      async () => {
        const app = failingApp(respond, true)
        app.addHook('onSend', async (_request, reply, payload) => {
          if (reply.statusCode === 200) await sleep(20)
          return payload
        })
        const { status, headers, text } = await send(app, { path: '/' })
        expect([status, headers['content-encoding'], text]).toEqual([404, undefined, '{"nothing":"there"}'])
      },
    )
  }

  it('a listener of the error that responds later finds the response of the framework', async () => {
    const app = failingApp((reply) => void setImmediate(() => reply.code(404).send('late')))
    expect((await send(app, { path: '/' })).status).toBe(500)
  })

  ours('the peers send a response without content')(
    'a stream that the handler has read to its end is a 500',
    async () => {
      const app = createApp()
      app.get('/', async (_request, reply) => {
        const file = Readable.from(['the content'])
        for await (const piece of file) reply.header('x-read', String(piece))
        return reply.send(file)
      })
      const { status, json } = await send(app, { path: '/' })
      expect([status, json()]).toMatchObject([500, { code: 'ERR_STREAM_PREMATURE_CLOSE' }])
    },
  )
})

describeTransports(
  'replies: streams that nobody reads',
  ({ createApp, transport, since5, ours, expect }) => {
    for (const kind of ['a web stream', 'a Response'] as const) {
      since5('4.x has neither')(
        `CVE-2026-25224: reads ${kind} no faster than its client does, and cancels it when the client has gone`,
        async () => {
          const app = createApp()
          let chunks = 0
          const cancelled = createGate()
          app.get('/', (_request, reply) => {
            const endless = new ReadableStream({
              pull: (controller) => {
                chunks++
                // An application that is read without end must not fill the memory of the test.
                if (chunks < 4 * MAX_CHUNKS) controller.enqueue(CHUNK)
                else controller.close()
              },
              cancel: () => cancelled.open(),
            })
            return reply.send(kind === 'a Response' ? new Response(endless) : endless)
          })
          const leave = await askWithoutReading(app, transport)
          for (let before = -1; chunks === 0 || chunks !== before;) {
            before = chunks
            await sleep(100)
          }
          expect(chunks).toBeLessThan(MAX_CHUNKS)
          leave()
          await cancelled.promise
        },
      )
    }

    ours('the peers destroy it, which says NO_ERROR')(
      'cancels the stream of another HTTP/2 server when the client has gone',
      async () => {
        const server = http2.createServer()
        const codes = new EventEmitter()
        server.on('stream', (stream) => {
          stream.respond()
          stream.on('close', () => codes.emit('code', stream.rstCode)).on('error', () => {})
          stream.write('begun')
        })
        await new Promise<void>((resolve) => server.listen(0, resolve))
        const session = http2.connect(`http://localhost:${Object(server.address()).port}`)
        const app = createApp()
        const begun = createGate()
        app.get('/', (_request, reply) => {
          const stream = session.request({ ':path': '/' })
          stream.once('data', () => begun.open())
          return reply.send(stream)
        })
        const leave = await askWithoutReading(app, transport)
        const closed = once(codes, 'code')
        await begun.promise
        leave()
        expect(await closed).toEqual([http2.constants.NGHTTP2_CANCEL])
        session.close()
        server.close()
      },
    )
  },
  ['socket', 'http2'],
)
