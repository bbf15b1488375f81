import { errorOfBytes, errorOfCharset, errorOfCoding } from '../../body/exact/encodings.ts'
import { NO_MEDIA_TYPE, nameOf, type MediaType } from '../../body/media-type.ts'
import { unsupportedType } from '../../body/unsupported-type.ts'
import { OWN_PARSER, type BodyParser, type ParserEntry, type ParserLookup } from '../../body/parser-table.ts'
import { createError } from '../../errors.ts'
import { look } from '../../foreign.ts'
import { isError, ownStatus } from '../../read-error.ts'
import type { BodyReceiver, Content, ReadAs } from '../../exchange/exchange.ts'
import { isThenable } from '../../guards.ts'
import { nextTurn } from '../../platform.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { acceptedTypes } from './negotiate.ts'
import { OPEN, type ReplyState, type RequestState } from '../state.ts'
import { mediaTypeOf } from '../request.ts'
import type { RoutePlan } from '../route-plan.ts'
import { byteLengthOf, chunkBytes, utf8Text } from '../../bytes.ts'
import { prefixCode } from '../../error-prefix.ts'
import type { ByteStream } from '../../exchange/streams.ts'

/**
 * Stage: selects the parser for the body and reads what it takes.
 *
 * Rules: a request has a body if it has `Transfer-Encoding` or a `Content-Length` other than 0 (RFC 9112 section 6.3).
 * A body without a parser for its type gets 415. A body that the framework reads gets 413 above the limit, and 400 if
 * its length is not that of the header; nothing more is then read from that connection. DELETE and OPTIONS seldom have
 * a body: one without a type is read only for a body schema or a catch-all parser.
 */
export function readBody(plan: RoutePlan, request: RequestState, reply: ReplyState): unknown {
  const exchange = request[kExchange]
  const mediaType = mediaTypeOf(request)
  const hasType = mediaType !== NO_MEDIA_TYPE
  if (!hasType && plan.bodyRule === 'typed') {
    throw createError('ROUTE_MISSING_CONTENT_TYPE', { method: exchange.method })
  }
  const { bodyLength } = exchange
  const isAbsent = bodyLength === null && exchange.framing === 'none'
  const isEmpty = isAbsent || bodyLength === 0
  const isSeldom = plan.bodyRule === 'seldom' || plan.bodyRule === 'sent'
  // Clients name a type for DELETE without a body.
  if (isAbsent && isSeldom) return undefined
  if (!hasType && (isEmpty || plan.bodyRule === 'seldom')) return undefined
  // The framework's 404 needs no body that the client holds back (RFC 9110 section 10.1.1).
  if (plan.isDefaultNotFound && exchange.header('expect') !== undefined) return undefined

  const mayBeEmpty = bodyLength === null && (!hasType || isSeldom) && !exchange.protocol.announcesBodies
  const parser = chooseParser(plan, request, mediaType, mayBeEmpty)
  if (parser === null) return undefined
  request[kState].parser = parser
  const { exact } = plan.app
  if (exact.judgesEncodings && (parser.isDefault || parser.parseAs === 'string'))
    judgeEncodings(plan, request, mediaType)
  if (parser.parseAs === null) {
    if (plan.keepsRawBody) throw createError('CTP_RAW_BODY_STREAMED', { mediaType: nameOf(mediaType) })
    handOver(plan, parser, request, reply)
    return undefined
  }
  const limit = plan.ownBodyLimit ?? parser.bodyLimit ?? plan.bodyLimit
  if (bodyLength !== null && bodyLength > limit) throw closing(reply, createError('CTP_BODY_TOO_LARGE', {}))
  const isText = parser.parseAs === 'string' && !plan.keepsRawBody
  const isShort = bodyLength !== null && bodyLength <= SHORT
  let as: ReadAs = 'bytes'
  if (isText && (isShort || !parser.takesBytes)) as = exact.bodyText === 'utf-8' ? 'utf-8' : 'text'
  return exchange.readBody(request[kState].bodyStream, limit, as, new BodyTarget(reply, parser.dropsMark))
}

/** To read so many bytes as text, and encode it where a parser needs bytes, costs less than to copy them. */
const SHORT = 2048

/** Refuses a body whose bytes the framework would decode as what they are not. */
function judgeEncodings(plan: RoutePlan, request: RequestState, mediaType: MediaType): void {
  const { exact } = plan.app
  if (exact.bodyText === 'utf-8') exact.refuse(errorOfCharset(mediaType), request)
  const exchange = request[kExchange]
  const coding = exchange.header('content-encoding')
  if (coding === undefined || exact.unknownEncodings !== 'refuse') return
  const { bodyStream } = request[kState]
  // A `preParsing` hook has decoded the body if it has replaced it.
  if (bodyStream === null || bodyStream === exchange.bodyStream) exact.refuse(errorOfCoding(coding), request)
}

/** Stage: stores the bytes in `request.rawBody`. */
export function keepRawBody(_plan: RoutePlan, request: RequestState): void {
  const value = chunkBytes(request[kState].bodyBytes ?? '')
  // The class has no such member, so that plugins can decorate requests with the name.
  Object.defineProperty(request, 'rawBody', { value, enumerable: true, configurable: true, writable: true })
}

/** The number of characters from which a body is validated in its own turn of the event loop. */
const LONG_TEXT = 262_144

/**
 * Stage: the selected parser turns bytes, text or stream into `request.body`. Parsing a long text takes about as long
 * as validating its content, so other requests get a turn in between.
 */
export function parseBody(plan: RoutePlan, request: RequestState, _reply: ReplyState): unknown {
  const state = request[kState]
  const { parser } = state
  if (parser === null) return undefined
  let input = parser.parseAs === null ? state.bodyStream : state.bodyBytes
  if (parser.parseAs === 'string' && !parser.takesBytes && input instanceof Uint8Array)
    input = decodeBody(plan, request, input)
  state.bodyBytes = null
  const body = parser.parse(request, input)
  // The framework's own parsers of text are synchronous.
  if ((parser.isDefault && parser.parseAs !== null) || !isThenable(body)) {
    request.body = body
    const length =
      typeof input === 'string' || (input instanceof Uint8Array && parser.takesBytes) ? input.length : 0
    const isLong = length >= LONG_TEXT
    return isLong && plan.validators !== null ? nextTurn() : undefined
  }
  return Promise.resolve(body).then((value) => {
    request.body = value
  })
}

function decodeBody({ app: { exact } }: RoutePlan, request: RequestState, bytes: Uint8Array): string {
  const text = utf8Text(bytes)
  if (exact.bodyText === 'utf-8') exact.refuse(errorOfBytes(text, bytes, 'body'), request)
  return text
}

/**
 * A parser without `parseAs` reads the stream itself. The framework enforces only a limit that this parser or this
 * route sets.
 */
function handOver(plan: RoutePlan, parser: BodyParser, request: RequestState, reply: ReplyState): void {
  const exchange = request[kExchange]
  const body = exchange.bodyStream
  const isRead = request[kState].bodyStream === null && look(body, 'readableEnded') === true
  // Some platforms read bodies themselves; parsers for them take the property `body` of the raw request.
  const isTaken = !parser.isDefault && look(body, 'body') !== undefined
  if (exchange.bodyLength !== 0 && isRead && !isTaken) throw bodyConsumed(plan)
  const stream = (request[kState].bodyStream ??= body)
  // For these bodies, the limit of the route applies to each line, and to the fields of a form that are kept.
  const limit = parser.isDefault ? parser.bodyLimit : (plan.ownBodyLimit ?? parser.bodyLimit)
  if (limit === null) return
  for (const source of new Set([body, stream])) countBody(reply, source, limit)
}

/**
 * Not-found handlers run for every method, so a body without a parser stays unread instead of causing a 415.
 */
function chooseParser(
  plan: RoutePlan,
  request: RequestState,
  mediaType: MediaType,
  mayBeEmpty: boolean,
): BodyParser | null {
  if (plan.isNotFound && plan.app.methods.bodyRule(request.method) === 'never') return null
  const parser = findParser(plan.parsers, mediaType)
  if (parser === null && plan.isNotFound) return null
  const refuse = (): Error => unsupportedType(mediaType, plan, acceptedTypes(plan, request.method))
  if (mayBeEmpty) return unlessEmpty(parser, request, refuse)
  if (parser === null) throw refuse()
  return parser
}

const BYTES = { ...OWN_PARSER, takesBytes: true, parseAs: 'buffer' } as const

/**
 * Returns a parser for a request whose head doesn't say whether it has a body, over HTTP/2 or `app.fetch`: its frames
 * or its stream may be empty, as of a client that ends a request after its head.
 */
function unlessEmpty(parser: BodyParser | null, state: RequestState, refuse: () => Error): BodyParser {
  return {
    ...(parser ?? BYTES),
    parse: (request, input) => {
      const isEmpty = input === '' || (input instanceof Uint8Array && input.length === 0)
      if (isEmpty) return state.body
      if (parser === null) throw refuse()
      return parser.parse(request, input)
    },
  }
}

/**
 * Returns the parser for a media type: by name, then by pattern, then the catch-all, which also takes invalid media
 * types.
 */
function findParser(lookup: ParserLookup, mediaType: MediaType): BodyParser | null {
  if (!mediaType.valid) return lookup.catchAll
  const entries = lookup.byMediaType.get(mediaType.essence) ?? NO_ENTRIES
  for (const { type, parser } of entries) {
    if (type.parameters.size === 0 || admits(type, mediaType)) return parser
  }
  for (const { matches, parser } of lookup.patterns) {
    if (matches(mediaType)) return parser
  }
  return lookup.catchAll
}

const NO_ENTRIES: readonly ParserEntry[] = []

function admits({ parameters }: MediaType, mediaType: MediaType): boolean {
  return [...parameters].every(
    ([name, value]) => mediaType.parameters.get(name)?.toLowerCase() === value.toLowerCase(),
  )
}

/** Stores a body with its request, where the parser finds it. */
class BodyTarget implements BodyReceiver {
  private readonly reply: ReplyState
  readonly dropsMark: boolean

  constructor(reply: ReplyState, dropsMark: boolean) {
    this.reply = reply
    this.dropsMark = dropsMark
  }

  receive(content: Content): void {
    this.reply.request[kState].bodyBytes = content
  }

  refuse(error: unknown): unknown {
    return closing(this.reply, asClientFault(this.reply, error))
  }

  consumed(): Error {
    return bodyConsumed(this.reply[kPlan])
  }
}

/** The error of a body that a hook or its middleware has read. Names the hooks that ran before. */
function bodyConsumed({ label, hooks }: RoutePlan): Error {
  const before = [...hooks.onRequest, ...hooks.preParsing].map((hook) => hook.describe())
  const readers = before.length === 0 ? 'no hook has run' : `before it ran ${before.join(' ')}`
  return createError('CTP_BODY_CONSUMED', { route: label, readers: readers.replace(/,$/, '') })
}

/** Makes an error of reading a body the client's fault, unless the error has its own numeric status. */
function asClientFault(reply: ReplyState, error: unknown): unknown {
  const status = ownStatus(error)
  const isNumber = look(error, 'statusCode') === status || look(error, 'status') === status
  if (status !== undefined && isNumber) return error
  if (!isError(error) || !Reflect.set(error, 'statusCode', 400)) reply.code(400)
  return error
}

/**
 * Limits a body that its parser reads itself. Counts bytes as they arrive, so that readers of the stream and of the raw
 * request are counted alike.
 *
 * Above the limit the request is refused with 413, and a reader of the body gets the same error. It never gets an end,
 * which would make a part look like the whole.
 */
export function countBody(reply: ReplyState, stream: ByteStream, limit: number): void {
  // A stream from a `preParsing` hook may have another class than Node's.
  if (typeof stream.push !== 'function') return
  const push = stream.push.bind(stream)
  let received = stream.readableLength ?? 0
  let refused = received > limit
  if (refused) refuse(reply, stream)
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (refused) return true
    if (typeof chunk === 'string') received += byteLengthOf(chunk, encoding)
    else if (chunk instanceof Uint8Array) received += chunk.byteLength
    if (received <= limit) return push(chunk, encoding)
    refused = true
    refuse(reply, stream)
    return true
  }
}

function refuse(reply: ReplyState, stream: ByteStream): void {
  const plan = reply[kPlan]
  // A reader of the stream gets the error directly, so it needs the prefix here.
  const error = prefixCode(createError('CTP_BODY_TOO_LARGE', {}), plan.app.options)
  if (reply[kState].phase === OPEN) plan.fail(reply, closing(reply, error))
  if (stream.listenerCount('error') > 0) stream.emit('error', error)
}

/** Ends the connection after the response, so that the rest of a refused body is never read as the next request. */
function closing(reply: ReplyState, error: unknown): unknown {
  reply[kExchange].endConnection()
  return error
}
