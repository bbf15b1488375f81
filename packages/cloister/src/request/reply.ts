import { readDecorator } from '../context/decorators.ts'
import { createError } from '../errors.ts'
import { isFunction, isThenable, makeAssignable, whenSettled, type AnyFunction } from '../guards.ts'
import type { CloisterReply } from '../types/reply.ts'
import type { Logger } from '../logging/logger.ts'
import { kExchange, kPlan, kReplyHeaders, kSerializer, kState } from '../symbols.ts'
import { responseViewOf } from '../exchange/raw-views.ts'
import { nodeOf, removeRawHeader, takenNode } from '../exchange/node-access.ts'
import { endOf } from '../exchange/ends.ts'
import type { Exchange, ResponseHeaders } from '../exchange/exchange.ts'
import {
  FAILING,
  HIJACKED,
  isHandedOver,
  OPEN,
  type Implementation,
  type ReplyData,
  type RequestState,
} from './state.ts'
import type { RoutePlan } from './route-plan.ts'
import { compileInputSerializer, findSerializer, serializeInput } from './members/ad-hoc.ts'
import { callNotFound } from './run-stages.ts'
import { checkTrailer, fieldsOf, setReplyHeader, setType } from './members/fields.ts'
import { choosePresets, mergeVary } from './preset-headers.ts'
import { serializeValue } from './stages/serialize-payload.ts'
import { alreadySent, refuseSecond, reopen } from './second-response.ts'
import { markHandedOver } from './watch.ts'
import { writeLine } from './write-line.ts'
import { parseMediaType, typeIn } from '../body/media-type.ts'

type HeaderValue = string | number | readonly string[]

/** The fields that its constructor sets. Integrations and suites of others know the keys of headers and serializer. */
export interface ReplyImpl {
  [kExchange]: Exchange
  [kPlan]: RoutePlan
  [kState]: ReplyData
  [kReplyHeaders]: ResponseHeaders
  [kSerializer]: AnyFunction | null
}

/**
 * The reply to one request, as handlers and hooks see it. It collects status, headers and payload; the reply path
 * writes them. The constructor sets every field, so that all replies of a context share one hidden class.
 *
 * `then` is absent at times, and `serializer` takes functions of any payload.
 */
export class ReplyImpl implements Implementation<Omit<CloisterReply, symbol | 'serializer' | 'then'>> {
  readonly request: RequestState

  constructor(exchange: Exchange, plan: RoutePlan, request: RequestState) {
    this[kExchange] = exchange
    this[kPlan] = plan
    this[kReplyHeaders] = {}
    this[kSerializer] = null
    this[kState] = {
      phase: OPEN,
      epoch: 0,
      status: 200,
      statusSet: false,
      payload: undefined,
      presets: plan.presets === null ? null : choosePresets(plan.presets, exchange),
      trailers: null,
      held: null,
      startTime: 0,
      endTime: 0,
      caller: null,
      errorHandlers: null,
      errorDepth: 0,
      checked: null,
      errorSeen: false,
      isLogged: false,
      inOnError: false,
      awaited: false,
      items: null,
      trace: null,
      requestTrace: null,
    }
    this.request = request
  }

  /** Without Node's objects, a view of the end and the headers of the response. */
  get raw(): object {
    const { node } = this[kExchange]
    if (node === null) return responseViewOf(this[kExchange], this[kReplyHeaders])
    if (node.isTaken) return node.response
    const { response } = node
    response.statusCode = this[kState].status
    node.onResponseError((err) => writeLine(this, 'error', err, 'the raw response failed'))
    return response
  }

  /** Writes the response to the assigned object. */
  set raw(raw: object) {
    const { statusCode } = this
    const exchange = nodeOf(this[kExchange], 'reply.raw').over(null, raw)
    this[kExchange] = exchange
    if (exchange.node !== null) exchange.node.response.statusCode = statusCode
  }

  get log(): Logger {
    return this.request.log
  }

  set log(log: Logger) {
    this.request.log = log
  }

  get server(): object {
    return this[kPlan].context.instance
  }

  get routeOptions(): Readonly<Record<string, unknown>> {
    return this[kPlan].routeOptions()
  }

  get context(): { config: unknown } {
    return this.request.context
  }

  /** Whether the reply was sent, by `send`, by `hijack` or on the raw response. */
  get sent(): boolean {
    const { phase } = this[kState]
    if (phase !== OPEN && phase !== FAILING) return true
    const exchange = this[kExchange]
    return exchange.node?.isTaken === true && exchange.turn.isComplete
  }

  /** Only `true` can be assigned; it hijacks the reply. */
  set sent(value: boolean) {
    if (value !== true) throw createError('REP_SENT_VALUE', {})
    if (this[kState].phase === HIJACKED) throw alreadySent(this)
    this.hijack()
  }

  get statusCode(): number {
    const { node } = this[kExchange]
    return node?.isTaken === true ? node.response.statusCode : this[kState].status
  }

  set statusCode(status: number) {
    this.code(status)
  }

  code(status: number): this {
    const value = Math.trunc(Number(status))
    if (!(value >= 100 && value <= 599)) {
      throw createError('BAD_STATUS_CODE', { status: String(status) })
    }
    this[kState].status = value
    const node = takenNode(this[kExchange])
    if (node !== null) node.response.statusCode = value
    this[kState].statusSet = true
    return this
  }

  status(status: number): this {
    return this.code(status)
  }

  /** Includes headers set on the raw response, once it is in use. */
  getHeader(name: string): HeaderValue | undefined {
    const key = name.toLowerCase()
    const own = this[kReplyHeaders][key] ?? this[kState].presets?.fields[key]
    return own ?? takenNode(this[kExchange])?.response.getHeader(key)
  }

  getHeaders(): ResponseHeaders {
    const raw = takenNode(this[kExchange])?.response.getHeaders()
    return { ...raw, ...this[kState].presets?.fields, ...this[kReplyHeaders] }
  }

  hasHeader(name: string): boolean {
    return this.getHeader(name) !== undefined
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase()
    const { presets } = this[kState]
    if (presets?.fields[key] !== undefined) {
      presets.fill(this[kReplyHeaders])
      this[kState].presets = null
    }
    delete this[kReplyHeaders][key]
    removeRawHeader(this[kExchange], key)
    return this
  }

  header(name: string, value: HeaderValue = ''): this {
    const vary = this[kState].presets?.fields['vary']
    const isMerged = vary !== undefined && name.length === 4 && name.toLowerCase() === 'vary'
    setReplyHeader(this[kReplyHeaders], name, isMerged ? mergeVary(value, vary) : value)
    return this
  }

  headers(headers: Readonly<ResponseHeaders>): this {
    for (const [name, value] of fieldsOf(headers)) this.header(name, value)
    return this
  }

  /** The media type of the response without its parameters; `undefined` while there is none. */
  get mediaType(): string | undefined {
    const type = this.getHeader('content-type')
    return typeof type === 'string' ? typeIn(parseMediaType(type)) : undefined
  }

  type(mediaType: string): this {
    setType(this, mediaType)
    return this
  }

  trailer(name: string, fn: unknown): this {
    const key = checkTrailer(name, fn)
    if (!this[kExchange].protocol.hasTrailers) {
      const instead = 'a header or the content'
      throw createError('TRANSPORT_UNSUPPORTED', { what: 'reply.trailer', instead })
    }
    if (isFunction(fn)) (this[kState].trailers ??= new Map()).set(key, fn)
    return this
  }

  hasTrailer(name: string): boolean {
    return this[kState].trailers?.has(name.toLowerCase()) ?? false
  }

  removeTrailer(name: string): this {
    const { trailers } = this[kState]
    trailers?.delete(name.toLowerCase())
    if (trailers?.size === 0) this[kState].trailers = null
    return this
  }

  serializer(fn: AnyFunction): this {
    this[kSerializer] = fn
    return this
  }

  serialize(payload: unknown): unknown {
    return serializeValue(this, payload)
  }

  getSerializationFunction(schemaOrStatus: unknown, contentType?: string): unknown {
    return findSerializer(this, schemaOrStatus, contentType)
  }

  compileSerializationSchema(schema: object, httpStatus?: string, contentType?: string): unknown {
    return compileInputSerializer(this, schema, httpStatus, contentType)
  }

  serializeInput(
    input: unknown,
    schemaOrStatus: unknown,
    statusOrType?: string,
    contentType?: string,
  ): unknown {
    return serializeInput(this, input, schemaOrStatus, statusOrType, contentType)
  }

  /** `redirect(url, status?)`, or in the order of 4.x `redirect(status, url)`; 302 unless a status was set. */
  redirect(first: string | number, second?: string | number): unknown {
    const [url, status] = typeof first === 'number' ? [second, first] : [first, second]
    const code = Number(status ?? (this[kState].statusSet ? this.statusCode : 302))
    return this.header('location', encodeLocation(url)).code(code).send()
  }

  /** Sends the reply; a second call is ignored and logged, unless the first one sent a stream that has failed. */
  send(payload?: unknown): this {
    if (this[kState].inOnError) throw createError('SEND_INSIDE_ONERR', { route: this[kPlan].label })
    // `sent`, inlined to save the call, or a reply that gets an error.
    const exchange = this[kExchange]
    const isSent =
      this[kState].phase !== OPEN || (exchange.node?.isTaken === true && exchange.turn.isComplete)
    if (isSent && !reopen(this)) {
      refuseSecond(this, payload)
      return this
    }
    this[kPlan].reply(this, payload)
    return this
  }

  /**
   * Passes the raw response to the application: the framework writes nothing and runs no more stages.
   *
   * @throws `CLO_ERR_RAW_UNAVAILABLE` if the transport has no objects of Node, because then nothing could respond
   */
  hijack(): this {
    nodeOf(this[kExchange], 'reply.hijack')
    handOver(this)
    return this
  }

  /** Passes the request on; ignored and logged once the reply was sent or taken over. */
  callNotFound(): this {
    if (this[kState].inOnError) throw createError('SEND_INSIDE_ONERR', { route: this[kPlan].label })
    if (this.sent && !reopen(this)) refuseSecond(this)
    else callNotFound(this)
    return this
  }

  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): this {
    this[kExchange].sendEarlyHints(hints, callback && (() => callWritten(this, callback)))
    return this
  }

  /** Milliseconds since the request arrived, up to the end of the response. */
  get elapsedTime(): number {
    const { startTime, endTime } = this[kState]
    return startTime === 0 ? 0 : (endTime || performance.now()) - startTime
  }

  getResponseTime(): number {
    return this.elapsedTime
  }

  getDecorator(name: string | symbol): unknown {
    return readDecorator(this, name, 'reply')
  }

  /**
   * Makes `await reply` and `return reply` work: waits until the response is complete, whatever sends it. With
   * `unsentReply: 'continue'` it does not wait before something was sent, because the code that awaits the reply may be
   * the code that sends it. A generator that returns the reply cannot wait for its own end.
   */
  get then(): typeof waitForReply | undefined {
    if (this[kState].items !== null) return undefined
    if (this[kState].phase !== OPEN || this[kPlan].app.options.unsentReply === 'wait') return waitForReply
    if (this[kExchange].turn.hasBegun) return waitForReply
    this[kState].awaited = true
    return undefined
  }
}

/**
 * Waits until the response is complete. A client that goes away ends the waiting; it is no error of who waits, and other
 * code still sends.
 */
function waitForReply(this: ReplyImpl, fulfilled: () => void, rejected?: (error: Error) => void): void {
  this[kExchange].onFinished((error) => {
    if (error !== null && this[kState].phase === OPEN) this[kState].awaited = true
    if (error === null || endOf(error).name === 'left' || rejected === undefined) fulfilled()
    else rejected(error)
  })
}

makeAssignable(ReplyImpl.prototype, ['context', 'mediaType', 'routeOptions'])

/** Nothing waits for the callback of early hints. */
function callWritten(reply: ReplyImpl, callback: () => unknown): void {
  const fail = (err: unknown): void =>
    writeLine(reply, 'error', err, 'the callback of writeEarlyHints failed')
  try {
    const result = callback()
    if (isThenable(result)) whenSettled(result, () => {}, fail)
  } catch (err) {
    fail(err)
  }
}

const BEYOND_ASCII = /[^\p{ASCII}]+/gu
const LONE_SURROGATE = /\p{Surrogate}/gu

/**
 * Returns a URL in the form for the `Location` header: characters outside of ASCII are percent-encoded, as browsers do
 * (RFC 3986 section 2.5). Everything else stays unchanged, including what is already encoded.
 *
 * @throws `CLO_ERR_REP_INVALID_HEADER` if it has no such form
 */
function encodeLocation(url: unknown): string {
  const isAbsent = url === undefined || url === null
  const text = String(url)
  if (isAbsent || text === '[object Object]') {
    const given = isAbsent ? 'no url' : 'an object in place of a url'
    const reason = `reply.redirect was given ${given}; call it as redirect(url) or redirect(url, status)`
    throw createError('REP_INVALID_HEADER', { name: 'location', reason })
  }
  return text.replace(LONE_SURROGATE, '\ufffd').replace(BEYOND_ASCII, encodeURI)
}

/** Leaves the connection of a request to other code. */
export function handOver(reply: ReplyImpl): void {
  reply[kState].phase = HIJACKED
  reply[kState].epoch++
  reply[kState].held?.settle()
  if (isHandedOver(reply)) reply[kPlan].deadlines?.meet(reply)
  markHandedOver(reply)
}
