import { prematureClose, STREAMED, WAITING } from '@cloister/wire/message/internal'

import {
  FETCH,
  type Protocol,
  type BodyReceiver,
  type Content,
  type ContentWriter,
  type Exchange,
  type Peer,
  type ReadAs,
  type RequestHeaders,
  type ResponseHeaders,
  type Turn,
} from '../../exchange/exchange.ts'
import { endOf, type Outcome } from '../../exchange/ends.ts'
import type { ByteStream, WebStream } from '../../exchange/streams.ts'
import type { PlatformConnection } from '../../types/upgrade.ts'
import {
  byteLengthOf,
  frameWithoutConnection,
  headerText,
  refuseEarlyHints,
} from '../../exchange/message-head.ts'
import { readStream } from '../streams/body-reader.ts'
import { toContentStream } from '../streams/content-stream.ts'
import type { FetchContextValue, FetchPlatform } from './fetch-context.ts'
import type { OpenResponses } from './open-responses.ts'
import { bodyOfNone, FetchWriter, responseInit } from './fetch-response.ts'
import { readPieces, readText, readWhole } from './read-body.ts'

const NO_LINES: readonly string[] = []
/** Methods whose requests can't have a body (Fetch section 5.4). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const ENCODER = new TextEncoder()

/** The exchange for `Request` and `Response` of the web platform (WHATWG Fetch). */
export class FetchExchange implements Exchange {
  readonly request: Request
  readonly method: string
  target: string
  readonly originalTarget: string
  readonly httpVersion = '1.1'
  readonly protocol: Protocol = FETCH
  readonly node = null
  readonly takesLines = false
  readonly headerLines: readonly string[] = NO_LINES
  readonly vettedLines = null
  /** The platform decides where the body ends. Only a declared length is known in advance. */
  readonly framing: Exchange['framing']
  readonly bodyLength: number | null
  readonly peer: Peer
  /** the platform's value for the handlers */
  readonly context: FetchContextValue | undefined
  /** `null` until the head is known */
  response: Response | null = null
  turn: Turn = WAITING
  /** `undefined` while the exchange is open */
  outcome: Outcome | undefined = undefined
  /** the writer of the content, which another writer can replace until the content begins */
  writer: ContentWriter | null = null
  /** the list of incomplete responses that this one leaves when it ends, and its place there */
  expectedBy: OpenResponses | null = null
  expectedAt = 0
  #resolve: ((response: Response) => void) | null = null
  #reject: ((error: unknown) => void) | null = null
  #callbacks: ((outcome: Outcome) => void)[] | null = null
  readonly #host: string
  readonly #server: unknown
  readonly #writesLength: boolean
  #headers: RequestHeaders | null = null
  #bodyStream: ByteStream | null = null

  constructor(request: Request, { clientAddress, context, server, writesLength }: FetchPlatform) {
    this.request = request
    this.#server = server
    this.#writesLength = writesLength === true
    // The platform has normalized the URL (WHATWG URL). It contains no user information (Fetch section 5.4).
    const { url, method } = request
    const hostStart = url.indexOf('://') + 3
    const pathStart = url.indexOf('/', hostStart)
    const fragment = url.indexOf('#', pathStart)
    this.#host = url.slice(hostStart, pathStart)
    this.target = url.slice(pathStart, fragment === -1 ? url.length : fragment)
    this.originalTarget = this.target
    this.method = method
    const isEncrypted = url.startsWith('https:')
    this.peer = { address: clientAddress ?? undefined, port: undefined, isEncrypted }
    const hasNone = WITHOUT_BODY.has(method)
    const length = hasNone ? null : request.headers.get('content-length')
    // Reading `request.body` creates a stream, so it is read only if necessary.
    this.framing = length !== null ? 'length' : hasNone || request.body === null ? 'none' : 'chunked'
    this.bodyLength = length === null ? null : Number(length)
    this.context = context
  }

  /** The body as a web stream; `null` if there is none or the application has taken it as a Node stream. */
  get unreadBody(): ReadableStream<Uint8Array> | null {
    return this.#bodyStream === null ? this.request.body : null
  }

  get headers(): RequestHeaders {
    this.#headers ??= copyHeaders(this.request.headers, this.#host)
    return this.#headers
  }

  header(name: string): string | undefined {
    // The application may have changed the object of all headers.
    if (this.#headers !== null) return headerText(this.#headers, name)
    return this.request.headers.get(name) ?? (name === 'host' ? this.#host : undefined)
  }

  get bodyStream(): ByteStream {
    this.#bodyStream ??= toContentStream(this.request.body ?? new Blob([]).stream())
    return this.#bodyStream
  }

  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown {
    if (replacement === null && this.#bodyStream === null) {
      if (this.request.bodyUsed) throw receiver.consumed()
      const { bodyLength } = this
      if (bodyLength === null || bodyLength > limit) return readPieces(this.request, limit, as, receiver)
      // Anyone can construct a `Request`, but the server of Bun enforces the declared length.
      if (as === 'text' && this.#server !== undefined && receiver.dropsMark === true)
        return readText(this.request, bodyLength, receiver)
      return readWhole(this.request, bodyLength, as, receiver)
    }
    return readStream(this, replacement, limit, as, receiver)
  }

  /** Resolves to the response. Rejects if the exchange ends without one. */
  settled(): Promise<Response> {
    const { response, outcome } = this
    if (response !== null) return Promise.resolve(response)
    if (outcome !== undefined) return Promise.reject(this.reasonOf(outcome))
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  begin(head: ResponseInit, content: string | Uint8Array | WebStream | null): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the declarations of the platforms differ in which byte arrays and streams a body may be
    const body = content as ConstructorParameters<typeof Response>[0]
    this.response = new Response(body, head)
    this.turn = this.turn.next.begun
    this.#resolve?.(this.response)
  }

  /** Returns what a caller of `fetch` gets for an end without a whole response: the reason of its own signal, if any. */
  reasonOf(outcome: Outcome): unknown {
    const { signal } = this.request
    return signal.aborted && endOf(outcome).name === 'left' ? signal.reason : (outcome ?? prematureClose())
  }

  /** Ends the exchange. Callbacks for the end run later, once. */
  end(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.expectedBy?.forget(this)
    this.turn = this.turn.next[outcome === null ? 'completed' : 'gone']
    if (this.response === null) this.#reject?.(this.reasonOf(outcome))
    const callbacks = this.#callbacks
    if (callbacks === null) return
    this.#callbacks = null
    for (const callback of callbacks) queueMicrotask(() => callback(outcome))
  }

  onFinished(callback: (outcome: Outcome) => void): void {
    const { outcome } = this
    if (outcome !== undefined) queueMicrotask(() => callback(outcome))
    else if (this.#callbacks === null) this.#callbacks = [callback]
    else this.#callbacks.push(callback)
  }

  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    if (!this.turn.mayBegin) return null
    const size = content === null ? 0 : byteLengthOf(content)
    const framing = frameWithoutConnection(this.method, status, headers, size)
    const head = responseInit(status, headers, framing.by === 'none' || !this.#writesLength)
    // The platform would add a content type to a string without one.
    const isBare = typeof content === 'string' && headers['content-type'] === undefined
    const sent = isBare ? ENCODER.encode(content) : content
    this.begin(head, framing.by === 'none' ? bodyOfNone(this.method, status, framing) : sent)
    this.end(null)
    return framing.contradiction
  }

  open(status: number, headers: ResponseHeaders): ContentWriter {
    const framing = frameWithoutConnection(this.method, status, headers, STREAMED)
    return new FetchWriter(this, responseInit(status, headers, true), framing)
  }

  get platform(): PlatformConnection {
    const respond: PlatformConnection['respond'] = (response, closed) => {
      this.response = response
      this.turn = this.turn.next.begun
      this.#resolve?.(response)
      const end = (): void => this.end(null)
      closed.then(end, end)
    }
    return { request: this.request, server: this.#server, respond }
  }

  sendEarlyHints(): void {
    refuseEarlyHints()
  }

  /** The platform owns the connection. */
  endConnection(): void {}

  abort(error?: Error): void {
    if (this.turn.mayCut) this.end(error ?? prematureClose())
  }

  /** The platform applies the time limits of the connection. */
  onTimeout(): void {}
}

/** Copies the headers of a request; `host` comes from the URL if the platform omits it. */
function copyHeaders(headers: Headers, host: string): RequestHeaders {
  const copy: RequestHeaders = { host }
  for (const [name, value] of headers) {
    if (name === 'set-cookie') copy[name] = [copy[name] ?? [], value].flat()
    else copy[name] = value
  }
  return copy
}
