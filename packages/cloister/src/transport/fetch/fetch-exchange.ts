import { prematureClose, STREAMED, type Framing } from '@cloister/wire/message'

import {
  FETCH,
  type Protocol,
  type BodyReceiver,
  type Content,
  type ContentWriter,
  type Exchange,
  type Outcome,
  type Peer,
  type ReadAs,
  type RequestHeaders,
  type ResponseHeaders,
  type Turn,
} from '../../exchange/exchange.ts'
import { createError } from '../../errors.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import { byteLengthOf, frameWithoutConnection } from '../../exchange/message-head.ts'
import { readStream } from '../streams/body-reader.ts'
import { toContentStream } from '../streams/content-stream.ts'
import type { FetchContextValue, FetchPlatform } from './fetch-context.ts'
import { FetchWriter, responseInit, type FetchResponse, type HeadInit } from './fetch-response.ts'
import { readPieces, readWhole } from './read-body.ts'

const NO_LINES: readonly string[] = []
/** Requests with these methods cannot have a body (Fetch section 5.4). */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const ENCODER = new TextEncoder()

/** The exchange over `Request` and `Response` of the web platform (WHATWG Fetch). */
export class FetchExchange implements Exchange {
  readonly method: string
  readonly target: string
  readonly originalTarget: string
  readonly httpVersion = '1.1'
  readonly protocol: Protocol = FETCH
  readonly node = null
  readonly headerLines: readonly string[] = NO_LINES
  readonly vettedLines = null
  /** The platform has decided where the body ends; only a length that was declared is known before. */
  readonly framing: Exchange['framing']
  readonly bodyLength: number | null
  readonly peer: Peer
  /** what the platform hands to the handlers */
  readonly context: FetchContextValue | undefined
  readonly #request: Request
  readonly #response: FetchResponse
  readonly #platform: FetchPlatform
  readonly #host: string
  #headers: RequestHeaders | null = null
  #bodyStream: ByteStream | null = null

  constructor(request: Request, response: FetchResponse, platform: FetchPlatform, target?: string) {
    const { target: sent, host, isEncrypted } = splitUrl(request.url)
    this.method = request.method
    this.target = target ?? sent
    this.originalTarget = sent
    this.peer = { address: platform.clientAddress ?? undefined, port: undefined, isEncrypted }
    const length = WITHOUT_BODY.has(request.method) ? null : request.headers.get('content-length')
    this.framing = length === null ? (hasBody(request) ? 'chunked' : 'none') : 'length'
    this.bodyLength = length === null ? null : Number(length)
    this.context = platform.context
    this.#request = request
    this.#response = response
    this.#platform = platform
    this.#host = host
  }

  /** The body as the platform has it; `null` where it was asked for as a stream of Node, or there is none. */
  get unreadBody(): ReadableStream<Uint8Array> | null {
    return this.#bodyStream === null ? this.#request.body : null
  }

  get headers(): RequestHeaders {
    this.#headers ??= copyHeaders(this.#request.headers, this.#host)
    return this.#headers
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === 'host' ? this.#host : undefined)
  }

  get bodyStream(): ByteStream {
    this.#bodyStream ??= toContentStream(this.#request.body ?? new Blob([]).stream())
    return this.#bodyStream
  }

  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown {
    if (replacement === null && this.#bodyStream === null) {
      const { bodyLength } = this
      if (bodyLength === null || bodyLength > limit) return readPieces(this.#request, limit, as, receiver)
      return readWhole(this.#request, bodyLength, as, receiver)
    }
    return readStream(this, replacement, limit, as, receiver)
  }

  get turn(): Turn {
    return this.#response.turn
  }

  get headersSent(): boolean {
    return this.#response.response !== null
  }

  get ended(): boolean {
    return this.#response.outcome !== undefined
  }

  get aborted(): boolean {
    const { outcome } = this.#response
    return outcome !== undefined && outcome !== null
  }

  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    const response = this.#response
    if (!response.turn.mayBegin) return null
    const { head, framing } = this.#compose(status, headers, content === null ? 0 : byteLengthOf(content))
    // A text without content type would get one from the platform.
    const isBare = typeof content === 'string' && headers['content-type'] === undefined
    const sent = isBare ? ENCODER.encode(content) : content
    response.begin(head, framing.by === 'none' ? null : sent)
    response.end(null)
    return framing.contradiction
  }

  open(status: number, headers: ResponseHeaders): ContentWriter {
    const { head, framing } = this.#compose(status, headers, STREAMED)
    return new FetchWriter(this.#response, head, framing)
  }

  #compose(
    status: number,
    headers: ResponseHeaders,
    size: number,
  ): { readonly head: HeadInit; readonly framing: Framing } {
    const framing = frameWithoutConnection(this.method, status, headers, size)
    return { head: responseInit(status, headers), framing }
  }

  sendEarlyHints(): void {
    throw createError('TRANSPORT_UNSUPPORTED', {
      what: 'reply.writeEarlyHints',
      instead: 'Link headers of the response',
    })
  }

  /** The connection is the platform's. */
  endConnection(): void {}

  abort(error?: Error): void {
    if (this.turn.mayCut) this.#response.end(error ?? prematureClose())
  }

  onFinished(callback: (outcome: Outcome) => void): void {
    this.#response.onEnd(callback)
  }

  onAbort(callback: () => void): void {
    this.#response.onEnd((outcome) => {
      if (outcome !== null) callback()
    })
  }

  /** The time limits of the connection are the platform's. */
  onTimeout(): void {}

  withTarget(target: string): Exchange {
    return new FetchExchange(this.#request, this.#response, this.#platform, target)
  }
}

/** Whether a request without a declared length has a body: to look makes a stream of it, which most need not be. */
function hasBody(request: Request): boolean {
  return !WITHOUT_BODY.has(request.method) && request.body !== null
}

/** The parts of a request's URL that HTTP/1.1 sends. */
export interface TargetAndHost {
  /** path and query */
  readonly target: string
  /** host and port */
  readonly host: string
  readonly isEncrypted: boolean
}

/** Splits the URL of a request, which the platform has normalized already (WHATWG URL). */
export function splitUrl(url: string): TargetAndHost {
  const hostStart = url.indexOf('://') + 3
  const pathStart = url.indexOf('/', hostStart)
  const fragment = url.indexOf('#', hostStart)
  const end = fragment === -1 ? url.length : fragment
  const authority = url.slice(hostStart, pathStart)
  return {
    target: url.slice(pathStart, end),
    // A `Request` cannot have user information (Fetch section 5.4).
    host: authority,
    isEncrypted: url.startsWith('https:'),
  }
}

/** Copies the headers of a request; `host` comes from the URL where the platform leaves it out. */
export function copyHeaders(headers: Headers, host: string): RequestHeaders {
  const copy: RequestHeaders = { host }
  for (const [name, value] of headers) {
    if (name === 'set-cookie') copy[name] = [copy[name] ?? [], value].flat()
    else copy[name] = value
  }
  return copy
}
