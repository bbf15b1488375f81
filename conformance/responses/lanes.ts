// One question over every transport: a request, and another one behind it, which shows what the first has left over.
import type { Socket } from 'node:net'
import { describe } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { certificate } from '../harness/certificate.ts'
import { openSocket } from '../harness/raw-socket.ts'
import { sendFetch, sendHttp2, sendInject } from '../harness/send.ts'
import type { SendRequest, SentResponse } from '../harness/send.ts'
import { isPeer } from '../harness/subject.ts'
import { useApps } from '../harness/transports.ts'
import { readConnection } from './strict-client.ts'
import type { End, Reading, ReadResponse, SentRequest } from './strict-client.ts'

/** One request; the version matters where there is a connection of HTTP/1 alone. */
export interface Question {
  readonly method?: string
  readonly path: string
  readonly version?: '1.0' | '1.1'
  /** further lines of the head */
  readonly lines?: readonly string[]
  readonly body?: string
}

/** What came of it. */
export interface Asked {
  /** its response; `null` where there is none */
  readonly first: ReadResponse | null
  /** the content of the response to the request behind it; `null` where the connection had ended */
  readonly next: string | null
  /** what no server may write */
  readonly faults: readonly string[]
}

/** A transport. */
export interface Lane {
  readonly name: string
  /** there are objects of Node */
  readonly hasRaw: boolean
  createApp(options?: Record<string, unknown>): App
  /** Asks, and then for `/next`, over the same connection where there is one. */
  ask(app: App, question: Question): Promise<Asked>
}

/** A transport of HTTP/1 over a connection. */
export interface ConnectionLane extends Lane {
  readonly isEngine: boolean
  readonly isEncrypted: boolean
}

const NEXT: Question = { path: '/next' }
/** What is not there by then never comes. */
const HANG_MS = 5000
const SLICE_MS = 20
/** Bytes behind the last response would have come by then. */
const QUIET_MS = 15

/** The bytes of a request. */
export function write({ method = 'GET', path, version = '1.1', lines = [], body }: Question): string {
  const all = [`${method} ${path} HTTP/${version}`, 'Host: x', ...lines]
  const isFramed = lines.some((line) => /^(?:content-length|transfer-encoding)/i.test(line))
  if (body !== undefined && !isFramed) all.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return `${all.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** A request as the strict client has to know it. */
export function sentAs({ method = 'GET', version = '1.1', lines = [] }: Question): SentRequest {
  const text = lines.join('\n').toLowerCase()
  return {
    method,
    version,
    expects: text.includes('expect: 100-continue'),
    connection: /^connection: (.*)$/m.exec(text)?.[1] ?? '',
  }
}

/** A client that reads all that comes, and knows how the server left. */
export class StrictClient {
  readonly socket: Socket
  readonly #pieces: Buffer[] = []
  end: End = 'open'
  #wake: () => void = () => {}

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.#pieces.push(bytes)
      this.#wake()
    })
    socket.on('end', () => this.#close('ended'))
    socket.on('error', () => this.#close('reset'))
    socket.on('close', () => this.#close('ended'))
  }

  static async open(app: App): Promise<StrictClient> {
    return new StrictClient(await openSocket(app))
  }

  #close(end: End): void {
    if (this.end === 'open') this.end = end
    this.#wake()
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  read(requests: readonly SentRequest[]): Reading {
    return readConnection(this.bytes, requests, this.end)
  }

  write(text: string): void {
    if (text !== '' && this.socket.writable) this.socket.write(text, 'latin1')
  }

  /** @returns false when it did not come true in time */
  async until(condition: () => boolean, ms = HANG_MS): Promise<boolean> {
    // In slices: a machine that stands still for a while takes one of them. Bytes that keep coming take their time too.
    let left = ms
    while (!condition()) {
      if (left <= 0) return false
      const slice = Math.min(left, SLICE_MS)
      const beganAt = performance.now()
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, slice)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      left -= Math.min(slice, performance.now() - beganAt)
    }
    return true
  }

  /** Until so many responses have come, or the connection has ended; and for what may come behind. */
  async readAll(
    requests: readonly SentRequest[],
    count: number = requests.length,
    quietMs: number = QUIET_MS,
  ): Promise<Reading> {
    const isThere = (): boolean =>
      this.end !== 'open' || this.read(requests).responses.filter((one) => one.isComplete).length >= count
    const isInTime = await this.until(isThere)
    await this.until(() => this.end !== 'open', quietMs)
    const { responses, interim, faults } = this.read(requests)
    return { responses, interim, faults: isInTime ? faults : [...faults, 'a request without a response'] }
  }
}

async function askConnection(app: App, question: Question): Promise<Asked> {
  const client = await StrictClient.open(app)
  const requests = [question, { ...NEXT, version: question.version ?? '1.1' }]
  client.socket.write(requests.map(write).join(''), 'latin1')
  const { responses, faults } = await client.readAll(requests.map(sentAs))
  client.socket.destroy()
  const [first = null, next] = responses
  return { first, next: next?.content ?? null, faults }
}

type Send = (app: App, request: SendRequest) => Promise<SentResponse>

/** Without a connection of its own a response is whole, or fails. */
function askBy(send: Send): Lane['ask'] {
  return async (app, { method = 'GET', path, lines = [], body }) => {
    const headers = Object.fromEntries(lines.map((line) => line.split(/: */, 2)))
    const request = { method, path, headers, ...(body === undefined ? {} : { body }) }
    const sent = await send(app, request).catch(() => null)
    const next = await send(app, NEXT).catch(() => null)
    const first = sent === null ? null : toRead(sent)
    return { first, next: next?.text ?? null, faults: first === null ? [] : faultsOf(first) }
  }
}

function toRead({ status, headers, bytes }: SentResponse): ReadResponse {
  const fields = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) fields.set(name, [value].flat())
  }
  return { status, fields, content: bytes.toString('latin1'), isComplete: true }
}

function faultsOf({ fields }: ReadResponse): string[] {
  const faults: string[] = []
  for (const name of fields.keys()) if (name.startsWith('x-injected')) faults.push('an injected field')
  const length = fields.get('content-length')
  if (length !== undefined && (length.length > 1 || !/^\d{1,15}$/.test(length[0] ?? '')))
    faults.push(`Content-Length: ${JSON.stringify(length)}`)
  return faults
}

type Definition = readonly [name: string, options: Record<string, unknown>]

/** Many handshakes at once may take longer than the deadlines of a test. */
const https = { ...certificate(), handshakeTimeout: 10_000 }

/** The transports that have connections of HTTP/1, and the options of their apps. */
export const CONNECTIONS: readonly Definition[] = [
  ['node:http', { transport: 'node' }],
  ['node:https', { transport: 'node', https }],
  ['engine', { transport: 'auto' }],
  ['engine over TLS', { transport: 'auto', https }],
]

const OTHERS: readonly (readonly [...Definition, ask: Lane['ask']])[] = [
  ['HTTP/2', { http2: true }, askBy(sendHttp2)],
  ['inject', {}, askBy(sendInject)],
  ['fetch', {}, askBy(sendFetch)],
]

function describeOwn(name: string, define: () => void): void {
  // The peers are known to fail most of these.
  describe.skipIf(isPeer)(name, () => {
    define()
  })
}

/** Runs one suite over each transport that has connections of HTTP/1. */
export function describeConnections(
  name: string,
  define: (lane: ConnectionLane) => void,
  connections = CONNECTIONS,
): void {
  for (const [lane, options] of connections) {
    describeOwn(`${name} (${lane})`, () => {
      const createApp = useApps(options)
      define({
        name: lane,
        hasRaw: true,
        isEngine: lane.startsWith('engine'),
        isEncrypted: 'https' in options,
        createApp,
        ask: askConnection,
      })
    })
  }
}

/** Runs one suite over every transport; the code of Node writes the same with TLS. */
export function describeLanes(name: string, define: (lane: Lane) => void, others = OTHERS): void {
  const distinct = CONNECTIONS.filter(([lane]) => lane !== 'node:https')
  describeConnections(name, define, distinct)
  for (const [lane, options, ask] of others) {
    describeOwn(`${name} (${lane})`, () =>
      define({ name: lane, hasRaw: lane !== 'fetch', createApp: useApps(options), ask }),
    )
  }
}

/** Runs one suite over every transport that has the objects of Node. */
export function describeNodeLanes(name: string, define: (lane: Lane) => void): void {
  describeLanes(
    name,
    define,
    OTHERS.filter(([lane]) => lane !== 'fetch'),
  )
}
