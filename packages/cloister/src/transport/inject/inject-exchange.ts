import { SENT, WAITING } from '@cloister/wire/message'
import type { CallbackFunc } from 'light-my-request'
import type { IncomingMessage, ServerResponse } from 'node:http'

import {
  HTTP1,
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
import { byteLengthOf, frameWithoutConnection, framingOf, headerText } from '../../exchange/message-head.ts'
import type { NodeAccess } from '../../exchange/node-access.ts'
import type { NodeExchange } from '../raw/node-exchange.ts'
import { createInjectResponse, copySent, isWrittenAsGiven, type Clock } from './inject-response.ts'
import { createRaw } from './create-raw.ts'
import type { InjectedRequest } from './injected-request.ts'

/** A whole response that was sent without Node's objects. */
interface Sent {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly content: Content | null
}

/**
 * The exchange of a request without a connection. It is the access to Node's objects itself; once these are made, they
 * have the request and write the response.
 */
export class InjectExchange implements Exchange, NodeAccess {
  readonly method: string
  target: string
  readonly originalTarget: string
  /** this very object */
  readonly node: NodeAccess
  readonly headerLines: readonly string[]
  readonly #request: InjectedRequest
  readonly #clock: Clock
  readonly #settle: CallbackFunc
  #sent: Sent | null = null
  /** the exchange over Node's objects, once they are made */
  #raw: NodeExchange | null = null
  #isRead = false
  #onFinished: ((outcome: Outcome) => void)[] | null = null
  #onAbort: (() => void)[] | null = null
  #onTimeout: (() => void)[] | null = null

  /** @param settle - gets the response, or why there is none; called in a later tick */
  constructor(request: InjectedRequest, clock: Clock, settle: CallbackFunc) {
    this.method = request.method
    this.target = request.target
    this.originalTarget = request.target
    this.node = this
    this.headerLines = toLines(request.headers)
    this.#request = request
    this.#clock = clock
    this.#settle = settle
  }

  get httpVersion(): string {
    return '1.1'
  }

  get protocol(): Protocol {
    return HTTP1
  }

  get vettedLines(): null {
    return null
  }

  get headers(): RequestHeaders {
    return this.#raw === null ? this.#request.headers : this.#raw.headers
  }

  header(name: string): string | undefined {
    return headerText(this.headers, name)
  }

  get peer(): Peer {
    if (this.#raw !== null) return this.#raw.peer
    return { address: this.#request.remoteAddress, port: undefined, isEncrypted: false }
  }

  get framing(): Exchange['framing'] {
    return framingOf(this.headers)
  }

  get bodyLength(): number | null {
    return this.framing === 'length' ? Number(this.header('content-length')) : null
  }

  get bodyStream(): ByteStream {
    return this.#takeRaw().bodyStream
  }

  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown {
    if (replacement !== null || this.#raw !== null) {
      return this.#takeRaw().readBody(replacement, limit, as, receiver)
    }
    this.#isRead = true
    const { bodyLength } = this
    const body = this.#request.body ?? ''
    const length = Buffer.byteLength(body)
    if (length > limit) throw receiver.refuse(createError('CTP_BODY_TOO_LARGE', {}))
    if (bodyLength !== null && bodyLength !== length) {
      throw receiver.refuse(createError('CTP_INVALID_CONTENT_LENGTH', {}))
    }
    // In a text of another length there may be lone surrogates, which no bytes have.
    if (as === 'text' && typeof body === 'string' && body.length === length) receiver.receive(body)
    else if (as === 'text') receiver.receive(Buffer.from(body).toString())
    else receiver.receive(typeof body === 'string' ? Buffer.from(body) : body)
    return undefined
  }

  get turn(): Turn {
    if (this.#sent !== null) return SENT
    return this.#raw === null ? WAITING : this.#raw.turn
  }

  get headersSent(): boolean {
    return this.#sent !== null || (this.#raw !== null && this.#raw.headersSent)
  }

  get ended(): boolean {
    return this.#sent !== null || (this.#raw !== null && this.#raw.ended)
  }

  get aborted(): boolean {
    return this.#sent === null && this.#raw !== null && this.#raw.aborted
  }

  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    if (this.headersSent || this.#raw !== null || !isWrittenAsGiven(status, headers))
      return this.#takeRaw().send(status, headers, content)
    const size = content === null ? 0 : byteLengthOf(content)
    const framing = frameWithoutConnection(this.method, status, headers, size)
    this.#sent = { status, headers, content }
    const response = createInjectResponse(
      status,
      copySent(headers, this.#clock.date),
      content === null || framing.by === 'none' ? Buffer.alloc(0) : Buffer.from(content),
      this,
    )
    // Within `send`, as with the objects of light-my-request: logs and hooks of a test keep their order.
    if (this.#onFinished !== null) for (const callback of this.#onFinished) callback(null)
    process.nextTick(this.#settle, null, response)
    return framing.contradiction
  }

  open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter {
    return this.#takeRaw().open(status, headers, hasTrailers)
  }

  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void {
    this.#takeRaw().sendEarlyHints(hints, written)
  }

  endConnection(): void {
    this.#takeRaw().endConnection()
  }

  abort(error?: Error): void {
    if (this.#sent === null) this.#takeRaw().abort(error)
  }

  onFinished(callback: (outcome: Outcome) => void): void {
    if (this.#sent !== null) queueMicrotask(() => callback(null))
    else if (this.#raw !== null) this.#raw.onFinished(callback)
    else (this.#onFinished ??= []).push(callback)
  }

  onAbort(callback: () => void): void {
    if (this.#raw !== null) this.#raw.onAbort(callback)
    else (this.#onAbort ??= []).push(callback)
  }

  onTimeout(callback: () => void): void {
    if (this.#raw !== null) this.#raw.onTimeout(callback)
    else (this.#onTimeout ??= []).push(callback)
  }

  withTarget(target: string): Exchange {
    this.target = target
    if (this.#raw !== null) this.#raw.request.url = target
    return this
  }

  get request(): IncomingMessage {
    return this.#takeRaw().request
  }

  get madeRequest(): object | null {
    return this.#raw === null ? null : this.#raw.request
  }

  get response(): ServerResponse {
    return this.#takeRaw().response
  }

  get socket(): object | undefined {
    return this.#takeRaw().socket
  }

  get isTaken(): boolean {
    return this.#raw !== null && this.#raw.isTaken
  }

  onResponseError(callback: (error: unknown) => void): void {
    this.#takeRaw().onResponseError(callback)
  }

  over(request: object | null, response: object | null): Exchange {
    return this.#takeRaw().node.over(request, response)
  }

  #takeRaw(): NodeExchange {
    this.#raw ??= this.#makeRaw()
    return this.#raw
  }

  /** Makes Node's objects, in the state in which they were had they been there from the start. */
  #makeRaw(): NodeExchange {
    const { target, originalTarget, headerLines } = this
    const request = this.#request
    const given = { request, target, originalTarget, headerLines, isRead: this.#isRead }
    const sent = this.#sent
    const raw = createRaw(given, sent === null ? this.#settle : ignore)
    if (sent === null) this.#handOver(raw)
    else raw.send(sent.status, sent.headers, sent.content)
    return raw
  }

  #handOver(raw: NodeExchange): void {
    if (this.#onFinished !== null) for (const callback of this.#onFinished) raw.onFinished(callback)
    if (this.#onAbort !== null) for (const callback of this.#onAbort) raw.onAbort(callback)
    if (this.#onTimeout !== null) for (const callback of this.#onTimeout) raw.onTimeout(callback)
  }
}

function ignore(): void {}

/** Returns names and values in turn. */
function toLines(headers: InjectedRequest['headers']): readonly string[] {
  const lines: string[] = []
  for (const name of Object.keys(headers)) lines.push(name, headers[name] ?? '')
  return lines
}
