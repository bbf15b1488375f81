import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { checkFields } from '@cloister/wire/message'
import { cutResponse, NodeWriter, noteEnd, sendByNode, turnOf } from '@cloister/wire/internal'
import { interimFields } from '@cloister/wire/message/internal'

import {
  HTTP1,
  HTTP2,
  type Protocol,
  type BodyReceiver,
  type Content,
  type ContentWriter,
  type Exchange,
  type Peer,
  type ReadAs,
  type ResponseHeaders,
  type Turn,
} from '../../exchange/exchange.ts'
import type { Outcome } from '../../exchange/ends.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import { explainHead, framingOf, refuseEarlyHints } from '../../exchange/message-head.ts'
import type { NodeAccess } from '../../exchange/node-access.ts'
import { look } from '../../foreign.ts'
import { isFunction, isRecord } from '../../guards.ts'
import { keepBody, readStream, watchBody } from '../streams/body-reader.ts'
import { FinishWatch } from './finish-watch.ts'

const NO_LINES: readonly string[] = []
/** `INTERNAL_ERROR` of HTTP/2 (RFC 9113 section 7) */
const INTERNAL_ERROR = 2

/** An exchange over Node's request and response objects. It also implements the access to these objects. */
export abstract class RawExchange {
  abstract readonly method: string
  abstract readonly originalTarget: string
  abstract readonly httpVersion: string
  abstract isTaken: boolean
  abstract readonly request: IncomingMessage
  protected abstract readonly rawResponse: ServerResponse
  /** the response belongs to an HTTP/1.1 server of Node */
  protected abstract readonly isServed: boolean
  abstract finish: FinishWatch | null

  get protocol(): Protocol {
    return 'stream' in this.request ? HTTP2 : HTTP1
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  get peer(): Peer {
    const { socket } = this
    return {
      address: socket?.remoteAddress,
      port: socket?.remotePort,
      isEncrypted: socket !== undefined && 'encrypted' in socket && socket.encrypted === true,
    }
  }

  get framing(): Exchange['framing'] {
    const framing = framingOf(this.request.headers)
    return framing === 'none' && hasOpenStream(this.request) ? 'chunked' : framing
  }

  get bodyLength(): number | null {
    const { headers } = this.request
    const length = headers['content-length']
    return length === undefined || headers['transfer-encoding'] !== undefined ? null : Number(length)
  }

  get bodyStream(): ByteStream {
    return this.request
  }

  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown {
    return readStream(this, replacement, limit, as, receiver)
  }

  get turn(): Turn {
    return turnOf(this.rawResponse)
  }

  get takesLines(): boolean {
    return false
  }

  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    try {
      return sendByNode(this.rawResponse, this, status, headers, content)
    } catch (cause) {
      throw explainHead(headers, cause)
    }
  }

  open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter {
    const { method, httpVersion, isTaken: isShared } = this
    const cut = (): void => this.abort()
    try {
      return NodeWriter.open(
        this.rawResponse,
        { method, httpVersion, hasTrailers, isShared },
        status,
        headers,
        cut,
      )
    } catch (cause) {
      throw explainHead(headers, cause)
    }
  }

  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void {
    const response: ServerResponse & { writeEarlyHints?: ServerResponse['writeEarlyHints'] } =
      this.rawResponse
    if (!isFunction(response.writeEarlyHints)) refuseEarlyHints()
    const fields = interimFields(hints)
    try {
      checkFields(fields)
    } catch (cause) {
      throw explainHead(fields, cause)
    }
    // An HTTP/1.0 client takes any response as the final one (RFC 9110 section 15.2).
    if (this.turn.mayInform && this.httpVersion !== '1.0') response.writeEarlyHints(fields, written)
    else if (written !== undefined) process.nextTick(written)
  }

  endConnection(): void {
    if (this.turn.mayBegin) this.rawResponse.shouldKeepAlive = false
  }

  abort(error?: Error): void {
    const { turn } = this
    if (!turn.mayCut) return
    const { rawResponse } = this
    const { socket } = rawResponse
    if (turn.hasBegun && this.protocol.isMultiplexed) cutStream(rawResponse)
    else if (turn.hasBegun && this.isServed && socket !== null) cutResponse(rawResponse, socket)
    else rawResponse.destroy(error)
  }

  onFinished(callback: (outcome: Outcome) => void): void {
    this.#watch().add(callback)
  }

  onTimeout(callback: () => void): void {
    const { socket } = this
    if (socket === undefined) return
    socket.once('timeout', callback)
    this.onFinished(() => socket.off('timeout', callback))
  }

  get madeRequest(): IncomingMessage | null {
    return this.request
  }

  /** Clients of HTTP take the socket from a request that they sent as a body, when their server fails. */
  get socket(): Socket | undefined {
    return this.request.socket ?? this.rawResponse.socket ?? undefined
  }

  get response(): ServerResponse {
    if (!this.isTaken && this.protocol.isMultiplexed) noteEnd(this.rawResponse)
    this.isTaken = true
    // A write after the end is an error of the response; uncaught, it would end the process.
    this.#watch()
    return this.rawResponse
  }

  onResponseError(callback: (error: unknown) => void): void {
    this.#watch().onError(callback)
    // In HTTP/2 a write after the end fails the stream, not the response. Its other errors come from the client.
    const stream: unknown = look(this.rawResponse, 'stream')
    if (!(stream instanceof Duplex)) return
    stream.on('error', (error) => {
      if (look(error, 'code') === 'ERR_STREAM_WRITE_AFTER_END') callback(error)
    })
  }

  over(request: IncomingMessage | null, response: ServerResponse | null): Exchange {
    const isServed = response === null && this.isServed
    const raw = response ?? this.rawResponse
    const exchange = new NodeExchange(request ?? this.request, raw, isServed, this.originalTarget)
    exchange.isTaken = response !== null
    if (response === null) exchange.finish = this.#watch()
    if (request === null) return exchange
    // Middleware assigns to these properties.
    return Object.defineProperties(exchange, {
      method: { get: () => request.method ?? 'GET' },
      target: { get: () => request.url ?? '/' },
    })
  }

  #watch(): FinishWatch {
    this.finish ??= new FinishWatch(this.rawResponse, this.isServed)
    return this.finish
  }
}

/** The exchange for `node:http` and its HTTP/2 compatibility interface. */
export class NodeExchange extends RawExchange implements Exchange, NodeAccess {
  readonly method: string
  target: string
  readonly originalTarget: string
  isTaken = false
  readonly node: NodeAccess = this
  readonly httpVersion: string
  readonly headerLines: readonly string[]
  /** `null`, because Node's parser checks less than admission does */
  readonly vettedLines = null
  readonly request: IncomingMessage
  protected readonly rawResponse: ServerResponse
  protected readonly isServed: boolean
  finish: FinishWatch | null = null

  /**
   * @param isServed - the response belongs to an HTTP/1.1 server of Node
   * @param originalTarget - the target before `rewriteUrl`
   */
  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    isServed: boolean,
    originalTarget?: string,
  ) {
    super()
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.originalTarget = originalTarget ?? this.target
    this.httpVersion = request.httpVersion
    // A request from user code may not have them.
    this.headerLines = request.rawHeaders ?? NO_LINES
    this.request = request
    this.rawResponse = response
    this.isServed = isServed
  }

  /** Watches the body of a request that comes over HTTP/2; once, also if the application replaces Node's objects. */
  watchStream(): void {
    const { request, rawResponse } = this
    if (!('stream' in request) || !hasOpenStream(request)) return
    watchBody(request, request.stream)
    keepBody(request, rawResponse, request.stream)
  }
}

/** Whether frames follow the head of an HTTP/2 request. No field needs to announce them (RFC 9113 section 8.1.1). */
function hasOpenStream(request: object): boolean {
  return 'stream' in request && look(request.stream, 'endAfterHeaders') === false
}

/**
 * Ends an HTTP/2 stream with an error, so that the client doesn't take a partial response as complete (RFC 9113 section
 * 7).
 */
function cutStream(response: object): void {
  const stream: unknown = Reflect.get(response, 'stream')
  const close: unknown = isRecord(stream) ? stream['close'] : undefined
  if (isFunction(close)) close.call(stream, INTERNAL_ERROR)
}
