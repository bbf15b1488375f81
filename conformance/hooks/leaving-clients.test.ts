// What runs when the client has left before it had its response: all of the path, over every transport.
import { connect as connectHttp2, type ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { App, Handler, Reply, Request } from '../harness/app-shape.ts'
import { LANES } from '../harness/leaving-client.ts'
import { createLogSink } from '../harness/log-lines.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { code } from '../harness/subject.ts'
import { createGate } from '../harness/time.ts'
import { ours, useApps } from '../harness/transports.ts'

const GONE = 'the request failed after its client had gone; the response is discarded'

/** What an app uses of the test. */
interface Story {
  /** what has run, in order */
  readonly ran: string[]
  /** Tells the client to leave, and waits until it has left. */
  readonly untilLeft: () => Promise<void>
}

/** Adds routes and hooks to an app. */
type Define = (app: App, story: Story) => void

/** A handler that waits until the client has left. */
const after = ({ ran, untilLeft }: Story, handler: Handler): Handler =>
  async function (request, reply) {
    await untilLeft()
    ran.push('handler')
    return handler.call(this, request, reply)
  }

const value: Handler = () => ({ ok: true })
const failing: Handler = () => {
  throw new Error('broken')
}

const ON_SEND = ['onSend 1', 'onSend 2', 'onSend 3']

/** What a request is doing when its client leaves, and what runs from then on. */
const PHASES: Readonly<Record<string, readonly [Define, readonly string[]]>> = {
  'an onRequest hook waits': [
    (app, story) => {
      app.addHook('onRequest', () => story.untilLeft())
      app.post('/', async ({ body }) => void story.ran.push(JSON.stringify(body)))
    },
    ['{"a":1}', ...ON_SEND],
  ],
  'a preHandler hook waits for done': [
    (app, story) => {
      app.addHook('preHandler', (_request, _reply, done) => void story.untilLeft().then(() => done()))
      app.post('/', () => {
        story.ran.push('handler')
        return 'x'
      })
    },
    ['handler', ...ON_SEND],
  ],
  'the handler returns': [(app, story) => void app.post('/', after(story, value)), ['handler', ...ON_SEND]],
  'the handler returns nothing': [
    (app, story) =>
      void app.post(
        '/',
        after(story, () => undefined),
      ),
    ['handler', ...ON_SEND],
  ],
  'the handler sends later, and waits for its reply': [
    (app, { ran, untilLeft }) =>
      void app.post('/', async (_request, reply) => {
        void untilLeft().then(() => reply.send({ ok: true }))
        await reply
        ran.push('handler')
        return reply
      }),
    ['handler', ...ON_SEND],
  ],
  'the handler throws': [
    (app, story) => void app.post('/', after(story, failing)),
    ['handler', 'onError', ...ON_SEND],
  ],
  'the handler obeys the signal': [
    (app, { untilLeft }) =>
      void app.post('/', async ({ signal }) => {
        await untilLeft()
        if (signal instanceof AbortSignal) signal.throwIfAborted()
      }),
    ['onError', ...ON_SEND],
  ],
  'the handler throws, and an error handler responds': [
    (app, story) => {
      app.setErrorHandler(async () => {
        await sleep(1)
        story.ran.push('error handler')
        return 'late'
      })
      app.post('/', after(story, failing))
    },
    ['handler', 'onError', 'error handler', ...ON_SEND],
  ],
  'an async preSerialization hook waits': [
    (app, { untilLeft }) => {
      app.addHook('preSerialization', async (_request, _reply, payload) => {
        await untilLeft()
        return payload
      })
      app.post('/', value)
    },
    ON_SEND,
  ],
}

/** Sources that yield without end, and say when they are released. */
const SOURCES: Readonly<Record<string, (ran: string[]) => unknown>> = {
  'a Node stream': (ran) => {
    const source = new Readable({ read: () => void source.push('x') })
    return source.on('close', () => ran.push('released'))
  },
  'a web stream': (ran) =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.from('x')),
      cancel: () => void ran.push('released'),
    }),
  'a Response': (ran) =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(Buffer.from('x')),
        cancel: () => void ran.push('released'),
      }),
    ),
  'a stream that yields nothing': (ran) =>
    new Readable({ read: () => {} }).on('close', () => ran.push('released')),
}

describe.each(LANES)('a client that leaves, over $name,', ({ options, post, hasRaw }) => {
  const createApp = useApps(options)

  /** Lets a client leave, and returns what has run and the lines of the log. */
  async function leave(define: Define, ends: (ran: string[]) => void) {
    const sink = createLogSink()
    const app = createApp({ logger: { level: 'warn', stream: sink.stream } })
    const ran: string[] = []
    const arrived = createGate()
    const left = createGate()
    const story: Story = {
      ran,
      untilLeft: async () => {
        arrived.open()
        await left.promise
      },
    }
    app.addHook('onRequestAbort', async (_request) => left.open())
    define(app, story)
    app.addHook('onError', async () => void ran.push('onError'))
    app.addHook('onSend', async (_request, _reply, payload) => {
      ran.push('onSend 1')
      return payload
    })
    app.addHook('onSend', (_request, _reply, payload, done) => {
      ran.push('onSend 2')
      done(null, payload)
    })
    app.addHook('onSend', async (_request, _reply, payload) => {
      await sleep(1)
      ran.push('onSend 3')
      return payload
    })
    const end = await post(app, '{"a":1}')
    await arrived.promise
    end()
    await vi.waitFor(() => ends(ran))
    return sink.lines
  }

  for (const [name, [define, expected]] of Object.entries(PHASES)) {
    ours('they log in other words, and run less')(`gets the rest of the path while ${name}`, async () => {
      // The order of the handler and onSend is that of the handler's own code.
      const lines = await leave(define, (ran) => expect(ran.toSorted()).toEqual(expected.toSorted()))
      const isError = expected.includes('onError')
      expect(lines.map(({ level, msg }) => [level, msg])).toEqual(isError ? [[50, GONE]] : [])
    })
  }

  for (const [name, create] of Object.entries(SOURCES)) {
    ours('they call onError')(`releases ${name} that is sent afterwards`, async () => {
      const lines = await leave(
        (app, story) =>
          void app.post(
            '/',
            after(story, () => create(story.ran)),
          ),
        (ran) => expect(ran).toEqual(['handler', ...ON_SEND, 'released']),
      )
      expect(lines).toEqual([])
    })
  }

  ours('they have no such handlers')('runs the end of a generator that has begun', async () => {
    await leave(
      (app, { ran, untilLeft }) => {
        const schema = { response: { 200: { content: { 'application/x-ndjson': { schema: {} } } } } }
        app.post('/', { schema }, async function* () {
          try {
            await untilLeft()
            for (;;) yield { ok: true }
          } finally {
            ran.push('finally')
          }
        })
      },
      (ran) => expect(ran).toEqual([...ON_SEND, 'finally']),
    )
  })

  ours('they have no such option')('does not keep a request from its deadline', async () => {
    const lines = await leave(
      (app, { untilLeft }) =>
        void app.post('/', { handlerTimeout: 50 }, (_request: Request, _reply: Reply) => void untilLeft()),
      (ran) => expect(ran).toEqual(['onError', ...ON_SEND]),
    )
    expect(lines).toMatchObject([{ msg: GONE, err: { code: 'CLO_ERR_HANDLER_TIMEOUT' } }])
  })

  const withRaw = hasRaw ? ours('over HTTP/2 they run the handler') : it.skip
  withRaw('gets past no hook that has ended the raw response', async () => {
    await leave(
      (app, { ran, untilLeft }) => {
        app.addHook('preHandler', async (_request, reply) => {
          await untilLeft()
          reply.raw.statusCode = 401
          reply.raw.end()
          setTimeout(() => ran.push('later'), 20)
        })
        app.post('/', () => ran.push('handler'))
      },
      (ran) => expect(ran).toEqual(['later']),
    )
  })
})

/** The transports whose bodies come in pieces, with their protocols. */
const BODY_LANES = [
  ['the engine', 'HTTP/1.1', {}],
  ['node:http', 'HTTP/1.1', { transport: 'node' }],
  ['HTTP/2', 'HTTP/2', { http2: true }],
] as const

const TEXT_HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n'

async function openQuietSocket(app: App): Promise<Socket> {
  const socket = await openSocket(app)
  return socket.on('error', () => {})
}

/** Opens a stream of HTTP/2 that posts a text over a connection. */
function openStream(socket: Socket, more: object = {}): ClientHttp2Stream {
  const session = connectHttp2('http://x', { createConnection: () => socket })
  session.on('error', () => {})
  const head = { ':method': 'POST', ':path': '/', 'content-type': 'text/plain', ...more }
  return session.request(head).on('error', () => {})
}

/** Sends half of a body, and returns the connection. */
const HALVES: Readonly<Record<string, (app: App) => Promise<Socket>>> = {
  'HTTP/1.1': async (app) => {
    const socket = await openQuietSocket(app)
    socket.write(`${TEXT_HEAD}${CHUNKED}4\r\nhalf\r\n`)
    return socket
  },
  'HTTP/2': async (app) => {
    const socket = await openQuietSocket(app)
    openStream(socket).write('half')
    return socket
  },
}

describe.each(BODY_LANES)('a client that leaves within its body, over %s,', (_name, protocol, options) => {
  const createApp = useApps(options)
  for (const hook of ['no hook', 'a hook'])
    ours('they hand half of a body on, or wait for ever')(
      `gets the error path, and no handler, while ${hook} waits`,
      async () => {
        const app = createApp()
        const ran: string[] = []
        const arrived = createGate()
        const left = createGate()
        app.addHook('onRequestAbort', async (_request) => left.open())
        app.addHook('onRequest', async () => {
          arrived.open()
          if (hook === 'a hook') await left.promise
        })
        app.addHook('onError', async (_request, _reply, error) => void ran.push(String(Object(error).code)))
        app.addHook('onSend', async () => void ran.push('onSend'))
        app.post('/', () => ran.push('handler'))
        const socket = await HALVES[protocol]?.(app)
        await arrived.promise
        await sleep(20)
        socket?.destroy()
        await vi.waitFor(() => expect(ran).toEqual([code('CTP_BODY_ABORTED'), 'onSend']))
      },
    )
})

const PIECES = ['one ', 'two ', 'three']

/** Sends a whole body in pieces that the server reads one by one, and returns the connection. */
const IN_PIECES: Readonly<Record<string, (app: App, isChunked: boolean) => Promise<Socket>>> = {
  'HTTP/1.1': async (app, isChunked) => {
    const socket = await openQuietSocket(app)
    socket.write(`${TEXT_HEAD}${isChunked ? CHUNKED : 'Content-Length: 13\r\n\r\n'}`)
    for (const piece of PIECES) {
      await sleep(5)
      socket.write(isChunked ? `${piece.length}\r\n${piece}\r\n` : piece)
    }
    if (isChunked) socket.write('0\r\n\r\n')
    return socket
  },
  'HTTP/2': async (app, isChunked) => {
    const socket = await openQuietSocket(app)
    const stream = openStream(socket, isChunked ? {} : { 'content-length': 13 })
    for (const piece of PIECES) {
      await sleep(5)
      stream.write(piece)
    }
    stream.end()
    return socket
  },
}

describe.each(BODY_LANES)(
  'a client that leaves behind a body that came in pieces, over %s,',
  (_name, protocol, options) => {
    const createApp = useApps(options)
    for (const isChunked of [false, true])
      ours('they read no body of a client that has left')(
        `has sent all of it, ${isChunked ? 'with' : 'without'} chunks`,
        async () => {
          const app = createApp()
          const bodies: unknown[] = []
          const left = createGate()
          app.addHook('onRequestAbort', async (_request) => left.open())
          app.addHook('onRequest', () => left.promise)
          app.post('/', ({ body }) => bodies.push(body))
          const socket = await IN_PIECES[protocol]?.(app, isChunked)
          await sleep(20)
          socket?.destroy()
          await vi.waitFor(() => expect(bodies).toEqual([PIECES.join('')]))
        },
      )
  },
)
