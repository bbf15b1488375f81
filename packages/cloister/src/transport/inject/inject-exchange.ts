import { SENT, WAITING } from '@cloister/wire/message'
import type { CallbackFunc } from 'light-my-request'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { dependencies } from '../../dependencies.ts'
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
import { isRecord } from '../../guards.ts'
import { NodeExchange } from '../raw/node-exchange.ts'
import { createInjectResponse, copySent, isWrittenAsGiven, type Clock } from './inject-response.ts'
import type { InjectedRequest } from './injected-request.ts'

/** A complete response that was sent without Node's objects. */
interface Sent {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly content: Content | null
}

/**
 * The exchange of a request without a connection. It also implements the access to Node's objects. Once these exist,
 * they hold the request and write the response.
 */
export class InjectExchange implements Exchange, NodeAccess {
  readonly method: string
  target: string
  readonly originalTarget: string
  readonly httpVersion = '1.1'
  readonly protocol: Protocol = HTTP1
  readonly vettedLines = null
  readonly node: NodeAccess
  readonly headerLines: readonly string[]
  readonly #request: InjectedRequest
  readonly #clock: Clock
  readonly #settle: CallbackFunc
  #sent: Sent | null = null
  #raw: NodeExchange | null = null
  #isRead = false
  readonly #onFinished: ((outcome: Outcome) => void)[] = []
  /** callbacks for events that only Node's objects emit */
  readonly #whenMade: ((raw: NodeExchange) => void)[] = []

  /** @param settle - gets the response or an error, in a later tick */
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
    // If the lengths differ, the text may contain lone surrogates, which bytes can't represent.
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
    // Called within `send`, as with the objects of light-my-request, so that logs and hooks of a test keep their order.
    for (const callback of this.#onFinished) callback(null)
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
    else this.#onFinished.push(callback)
  }

  onAbort(callback: () => void): void {
    if (this.#raw !== null) this.#raw.onAbort(callback)
    else this.#whenMade.push((raw) => raw.onAbort(callback))
  }

  onTimeout(callback: () => void): void {
    if (this.#raw !== null) this.#raw.onTimeout(callback)
    else this.#whenMade.push((raw) => raw.onTimeout(callback))
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

  /** Creates Node's objects in the state they would have if they had existed from the start. */
  #takeRaw(): NodeExchange {
    if (this.#raw !== null) return this.#raw
    const sent = this.#sent
    const raw = this.#makeRaw(sent === null ? this.#settle : ignore)
    if (sent === null) {
      for (const callback of this.#onFinished) raw.onFinished(callback)
      for (const wait of this.#whenMade) wait(raw)
    } else raw.send(sent.status, sent.headers, sent.content)
    this.#raw = raw
    return raw
  }

  #makeRaw(settle: CallbackFunc): NodeExchange {
    const { givenMethod, headers, body, remoteAddress } = this.#request
    const made: NodeExchange[] = []
    const payload = this.#isRead || body === null ? '' : body
    // light-my-request calls the function synchronously, because the payload is not a stream.
    dependencies.lightMyRequest()(
      (request, response) => {
        // Hooks may have changed target and headers, so the raw request gets their current values.
        Object.assign(request, { url: this.target, headers, rawHeaders: this.headerLines })
        if (this.#isRead) endRead(request)
        made.push(new NodeExchange(request, response, false, this.originalTarget))
      },
      { validate: false, method: givenMethod ?? 'GET', url: '/', remoteAddress, payload },
      settle,
    )
    const [exchange] = made
    if (exchange === undefined) throw new Error('assertion: light-my-request has not handed over the request')
    return exchange
  }
}

function ignore(): void {}

function toLines(headers: InjectedRequest['headers']): readonly string[] {
  const lines: string[] = []
  for (const name of Object.keys(headers)) lines.push(name, headers[name] ?? '')
  return lines
}

/** Puts a request into the state after its body has been read. */
function endRead(request: IncomingMessage): void {
  const state: unknown = Reflect.get(request, '_lightMyRequest')
  // Without this, destroying the request would end the response.
  if (isRecord(state)) state['isDone'] = true
  request.push(null)
  request.resume()
}
