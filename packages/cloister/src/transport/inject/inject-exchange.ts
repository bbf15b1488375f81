import { SENT, WAITING } from '@cloister/wire/message/internal'
import type { CallbackFunc } from 'light-my-request'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import { dependencies } from '../../dependencies.ts'
import {
  HTTP1,
  type Protocol,
  type BodyReceiver,
  type Content,
  type Exchange,
  type Peer,
  type ReadAs,
  type ResponseHeaders,
  type Turn,
} from '../../exchange/exchange.ts'
import type { Outcome } from '../../exchange/ends.ts'
import { createError } from '../../errors.ts'
import type { ByteStream } from '../../exchange/streams.ts'
import { byteLengthOf, frameWithoutConnection, framingOf, headerText } from '../../exchange/message-head.ts'
import type { NodeAccess } from '../../exchange/node-access.ts'
import { isRecord } from '../../guards.ts'
import type { FinishWatch } from '../raw/finish-watch.ts'
import { RawExchange } from '../raw/node-exchange.ts'
import {
  createInjectResponse,
  copySent,
  isWrittenAsGiven,
  type Clock,
  type RawObjects,
} from './inject-response.ts'
import type { InjectedRequest } from './injected-request.ts'
import { writeAsServer } from './written-response.ts'

/**
 * The exchange of a request without a connection. Once Node's objects exist, they hold the request and write the
 * response.
 */
export class InjectExchange extends RawExchange implements Exchange, NodeAccess {
  readonly method: string
  target: string
  readonly originalTarget: string
  readonly httpVersion = '1.1'
  readonly vettedLines = null
  readonly node: NodeAccess = this
  readonly headerLines: readonly string[]
  isTaken = false
  finish: FinishWatch | null = null
  protected readonly isServed = false
  readonly #request: InjectedRequest
  readonly #clock: Clock
  readonly #settle: CallbackFunc
  /** a complete response that was sent without Node's objects */
  #sent: Parameters<RawExchange['send']> | null = null
  #made: RawObjects | null = null
  #isRead = false
  readonly #onFinished: ((outcome: Outcome) => void)[] = []

  /** @param settle - gets the response or an error, in a later tick */
  constructor(request: InjectedRequest, clock: Clock, settle: CallbackFunc) {
    super()
    this.method = request.method
    this.target = request.target
    this.originalTarget = request.target
    this.headerLines = toLines(request.headers)
    this.#request = request
    this.#clock = clock
    this.#settle = settle
  }

  override get protocol(): Protocol {
    return HTTP1
  }

  override get headers(): IncomingHttpHeaders {
    return this.#made === null ? this.#request.headers : super.headers
  }

  override header(name: string): string | undefined {
    return headerText(this.headers, name)
  }

  override get peer(): Peer {
    if (this.#made !== null) return super.peer
    return { address: this.#request.remoteAddress, port: undefined, isEncrypted: false }
  }

  override get framing(): Exchange['framing'] {
    return framingOf(this.headers)
  }

  override get bodyLength(): number | null {
    return this.framing === 'length' ? Number(this.headers['content-length']) : null
  }

  override readBody(
    replacement: ByteStream | null,
    limit: number,
    as: ReadAs,
    receiver: BodyReceiver,
  ): unknown {
    if (replacement !== null || this.#made !== null) {
      return super.readBody(replacement, limit, as, receiver)
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

  override get turn(): Turn {
    if (this.#sent !== null) return SENT
    return this.#made === null ? WAITING : super.turn
  }

  override send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    if (this.#sent !== null || this.#made !== null || !isWrittenAsGiven(status, headers))
      return super.send(status, headers, content)
    const size = content === null ? 0 : byteLengthOf(content)
    const framing = frameWithoutConnection(this.method, status, headers, size)
    this.#sent = [status, headers, content]
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

  override onFinished(callback: (outcome: Outcome) => void): void {
    if (this.#sent !== null) queueMicrotask(() => callback(null))
    else if (this.#made !== null) super.onFinished(callback)
    else this.#onFinished.push(callback)
  }

  override get madeRequest(): IncomingMessage | null {
    return this.#made === null ? null : this.#made.request
  }

  get request(): IncomingMessage {
    return this.#take().request
  }

  protected get rawResponse(): ServerResponse {
    return this.#take().response
  }

  /** Creates Node's objects in the state they would have if they had existed from the start. */
  #take(): RawObjects {
    if (this.#made !== null) return this.#made
    const sent = this.#sent
    const made = this.#make(sent === null ? this.#settle : ignore)
    this.#made = made
    if (sent !== null) super.send(...sent)
    else for (const callback of this.#onFinished) super.onFinished(callback)
    return made
  }

  #make(settle: CallbackFunc): RawObjects {
    const { givenMethod, headers, body, remoteAddress } = this.#request
    const made: RawObjects[] = []
    const payload = this.#isRead || body === null ? '' : body
    // light-my-request calls the function synchronously, because the payload is not a stream.
    dependencies.lightMyRequest()(
      (request, response) => {
        // Hooks may have changed target and headers, so the raw request gets their current values.
        Object.assign(request, { url: this.target, headers, rawHeaders: this.headerLines })
        if (this.#isRead) endRead(request)
        writeAsServer(response)
        made.push({ request, response })
      },
      { validate: false, method: givenMethod ?? 'GET', url: '/', remoteAddress, payload },
      settle,
    )
    const [only] = made
    if (only === undefined) throw new Error('assertion: light-my-request has not handed over the request')
    return only
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
