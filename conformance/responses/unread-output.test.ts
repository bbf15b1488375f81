// Every state of a connection meets every fault while a response waits for a client that reads slowly, but steadily:
// more slowly than each deadline of the connection lasts. The response is whole, or its client can tell that it is not.
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { App, Request } from '../harness/app-shape.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { factory, isPeer } from '../harness/subject.ts'
import { CONNECTIONS, write } from './lanes.ts'

/** More than the buffers of the system hold. */
const SIZE = 24_000_000
const END = 'the end of the content'
const CONTENT = Buffer.alloc(SIZE, 'x')
CONTENT.write(END, SIZE - END.length)
/** Bytes that the client reads at once, and how often: it takes longer than each deadline, that of lingering too. */
const READ_BYTES = 450_000
const READ_MS = 90
const HANG_MS = 25_000

const DEADLINES = {
  keepAliveTimeout: 40,
  headersTimeout: 400,
  requestTimeout: 600,
  http: { connectionsCheckingInterval: 20 },
  closeGraceMs: 20_000,
  forceCloseConnections: 'idle',
}

const BIG = write({ path: '/big' })
const CLOSING = { path: '/big', lines: ['Connection: close'] }
const UPLOAD = write({
  method: 'POST',
  path: '/big',
  lines: ['Content-Type: application/x-own', 'Content-Length: 90'],
})

/** What the client has sent by then, by the state that its connection is in. */
const STATES: Readonly<Record<string, string>> = {
  idle: BIG,
  'a head is arriving': `${BIG}GET /next HT`,
  'a body is arriving': `${UPLOAD}some of it`,
  'a handler is waiting': BIG + write({ path: '/later' }),
  'requests are waiting': BIG + write({ path: '/next' }).repeat(3),
  writing: write({ path: '/stream' }),
  'writing up to the end': write({ path: '/stream', version: '1.0' }),
  lingering: write(CLOSING),
}

interface Bench {
  readonly app: App
  readonly socket: Socket
}

/** What happens then. */
const FAULTS: Readonly<Record<string, (bench: Bench) => unknown>> = {
  'the client waits': () => {},
  'the client ends its side': ({ socket }) => socket.end(),
  'the client resets': ({ socket }) => reset(socket),
  'the client sends garbage': ({ socket }) => socket.write('\0garbage\r\n\r\n'),
  'the client sends the next request': ({ socket }) => socket.write(write({ path: '/next' })),
  'the app closes': ({ app }) => void app.close(),
}

/** Over TLS Node resets no connection. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

type Verdict = 'whole' | 'cut' | 'hangs' | 'looks whole and is not'

/** Reads slowly; keeps the ends of what comes alone. */
class SlowReader {
  #head = ''
  #tail = ''
  #size = 0
  #left = READ_BYTES
  readonly #timer: NodeJS.Timeout
  end: 'open' | 'ended' | 'reset' = 'open'

  constructor(socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      if (this.#head.length < 1000) this.#head += bytes.toString('latin1', 0, 1000)
      this.#tail = (this.#tail + bytes.toString('latin1', Math.max(0, bytes.length - 4000))).slice(-4000)
      this.#size += bytes.length
      this.#left -= bytes.length
      if (this.#left <= 0) socket.pause()
    })
    const close = (end: 'ended' | 'reset'): void => {
      if (this.end === 'open') this.end = end
    }
    socket.on('error', () => close('reset'))
    socket.on('end', () => close('ended'))
    socket.on('close', () => close('ended'))
    this.#timer = setInterval(() => {
      this.#left = READ_BYTES
      socket.resume()
    }, READ_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  get hasBegun(): boolean {
    return this.#size > 0
  }

  get #isWhole(): boolean {
    if (this.#size < SIZE) return false
    if (/transfer-encoding: chunked/i.test(this.#head)) return this.#tail.includes(`${END}\r\n0\r\n\r\n`)
    return this.#tail.includes(END)
  }

  /** A content without framing looks whole when the connection ends without a reset. */
  get verdict(): Verdict | null {
    if (this.#isWhole) return 'whole'
    if (this.end === 'open') return null
    const isFramed = /content-length|transfer-encoding/i.test(this.#head)
    return isFramed || this.end === 'reset' || this.#size === 0 ? 'cut' : 'looks whole and is not'
  }
}

function createApp(options: Record<string, unknown>): App {
  const app = factory({ ...DEADLINES, ...options })
  app.addContentTypeParser('application/x-own', (_request: Request, body: never, done) => done(null, body))
  app.route({ method: ['GET', 'POST'], url: '/big', handler: (_request, reply) => reply.send(CONTENT) })
  app.get('/next', () => 'next')
  app.get('/later', () => pause(300, 'later'))
  app.get('/stream', (_request, reply) => {
    let at = 0
    const stream = new Readable({
      read() {
        this.push(at < SIZE ? CONTENT.subarray(at, (at += 60_000)) : null)
      },
    })
    return reply.send(stream)
  })
  return app
}

async function play(options: Record<string, unknown>, state: string, fault: string): Promise<Verdict> {
  const app = createApp(options)
  const socket = await openSocket(app)
  socket.allowHalfOpen = true
  const reader = new SlowReader(socket)
  const until = performance.now() + HANG_MS
  socket.write(STATES[state] ?? '')
  while (!reader.hasBegun && reader.end === 'open' && performance.now() < until) await pause(5)
  await FAULTS[fault]?.({ app, socket })
  while (reader.verdict === null && performance.now() < until) await pause(20)
  const { verdict } = reader
  reader.stop()
  socket.destroy()
  await app.close()
  return verdict ?? 'hangs'
}

/**
 * The faults that cut a response, by state: the client has gone, or has broken the rules while the application is still
 * writing. Node takes the end of the input of a client for its end, as long as the application writes.
 */
const CUTS: Readonly<Record<string, readonly string[]>> = {
  'the client resets': Object.keys(STATES),
  'the client ends its side': ['a body is arriving', 'writing'],
  'the client sends garbage': ['a body is arriving', 'writing', 'writing up to the end'],
}

interface Cell {
  readonly lane: string
  readonly options: Record<string, unknown>
  readonly state: string
  readonly fault: string
}

/** A client of Node may take the reset that cuts a content without framing for its end (libuv, at POLLHUP). */
const isUnsure = (state: string, fault: string): boolean =>
  state === 'writing up to the end' && ['the client ends its side', 'the client resets'].includes(fault)

const CELLS: readonly Cell[] = CONNECTIONS.flatMap(([lane, options]) =>
  Object.keys(STATES).flatMap((state) =>
    Object.keys(FAULTS)
      .filter((fault) => !isUnsure(state, fault))
      .map((fault) => ({ lane, options, state, fault })),
  ),
)
/** The system drops what it has taken for connections that are closed, when all of them hold too much. */
const AT_ONCE = 20

describe.skipIf(isPeer)('a response that its client reads more slowly than any deadline', () => {
  const verdicts = new Map<Cell, Verdict>()

  beforeAll(async () => {
    const waiting = [...CELLS]
    const work = async (): Promise<void> => {
      for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
        const { options, state, fault } = cell
        verdicts.set(cell, await play(options, state, fault))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  })

  for (const cell of CELLS) {
    const { lane, state, fault } = cell
    const mayBeCut = CUTS[fault]?.includes(state) === true
    const outcome = mayBeCut ? 'whole, or cut so that the client can tell' : 'whole'
    it(`is ${outcome}: ${lane}, ${state}, ${fault}`, () => {
      expect(mayBeCut ? ['whole', 'cut'] : ['whole']).toContain(verdicts.get(cell))
    })
  }
})
