import { LengthError } from '@cloister/wire/message'

import { chunkBytes, toBytes } from '../../bytes.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import type { Content, ContentWriter, Exchange, ResponseHeaders } from '../../exchange/exchange.ts'
import { OF_CONNECTION } from '../../exchange/message-head.ts'
import type { ByteStream, PumpSettled, WebStream } from '../../exchange/streams.ts'
import { attempt } from '../../foreign.ts'
import { typeName } from '../../guards.ts'
import { logSafely } from '../../logging/request-log.ts'
import { wrapThrown } from '../../read-error.ts'
import { kExchange, kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import { observeError } from '../observer.ts'
import { isEventStream, pumpEvents } from '../event-streams.ts'
import { trailersOf, type Trailers } from '../members/fields.ts'
import { isNodeStream, isResponse, isWebStream } from '../payload-kind.ts'
import type { PresetHeaders } from '../preset-headers.ts'
import type { RoutePlan } from '../route-plan.ts'
import { HIJACKED, markSent, SENT, type ReplyState, type RequestState } from '../state.ts'
import { dropPayload } from '../unsent-source.ts'
import { reportContradiction, writeLine, writeWarning } from '../write-line.ts'

/**
 * Stage: passes status, headers and payload to the transport.
 *
 * Rules: 204 and 304 have no content, and no length from the framework (RFC 9110 sections 6.4.1, 8.6). Content that the
 * application sends with 205 is sent if the transport can: section 15.3.6 forbids it, but proxies forward such
 * responses. 1xx never ends a request (section 15.2). A response to HEAD keeps the length of the response to GET
 * (section 9.3.2). A length that does not match the payload is corrected.
 */
export function writeResponse(plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  const state = reply[kState]
  const { payload } = state
  const exchange = reply[kExchange]
  const { node } = exchange
  let status = node !== null && node.isTaken ? node.response.statusCode : state.status
  let content: Content | null
  const isSpecial = status === 204 || status === 304 || status === 205 || status < 200
  if (typeof payload === 'string' && state.trailers === null && !isSpecial) content = payload
  else {
    const prepared = prepareContent(reply, payload)
    if (prepared === undefined) return
    content = prepared
    status = reply.statusCode
  }
  const headers = reply[kReplyHeaders]
  // The response to GET has the length of its content, whatever the handler says.
  if (plan.isExposedHead && content !== null) delete headers['content-length']
  if (content !== null && content.length === 0 && exchange.method === 'HEAD')
    headers['content-length'] ??= '0'
  const lines = state.presets === null ? '' : placePresets(state.presets, headers, exchange)
  const contradiction = exchange.send(status, headers, content, lines)
  // `markSent`, inlined to save the call.
  state.phase = SENT
  state.held?.settle()
  if (contradiction !== null) reportContradiction(reply, contradiction)
  plan.deadlines?.meet(reply)
}

/**
 * Returns the lines of the presets, where the transport writes lines and they are the only ones with these names.
 * Elsewhere they become headers of the reply.
 */
function placePresets(presets: PresetHeaders, headers: ResponseHeaders, exchange: Exchange): string {
  if (exchange.takesLines && !presets.overlaps(headers)) return presets.lines
  presets.fill(headers)
  return ''
}

/** Some transports cannot send content with a 205. */
const hasNoContent = (status: number, exchange: Exchange): boolean =>
  status === 204 || status === 304 || status < 200 || (status === 205 && !exchange.protocol.hasContentOf205)

/**
 * Returns the content of everything that is not a text with a status that has content; `null` for none.
 *
 * @returns `undefined` where the content is streamed, or has trailers behind it: it is on its way then
 */
function prepareContent(reply: ReplyState, given: unknown): Content | null | undefined {
  const payload = isResponse(given) ? unpackResponse(reply, given) : given
  const { [kExchange]: exchange, [kReplyHeaders]: headers, [kState]: state } = reply
  const isHead = exchange.method === 'HEAD'
  state.payload = payload
  if (hasNoContent(reply.statusCode, exchange)) return dropContent(reply, payload)
  let content: Content | null = null
  if (payload === undefined || payload === null) {
    if (isHead && reply[kPlan].isExposedHead) headers['content-length'] ??= '0'
  } else if (isNodeStream(payload) || isWebStream(payload)) {
    if (!isHead) return writeStream(reply, payload)
    dropPayload(reply, payload)
  } else {
    content = typeof payload === 'string' ? payload : toBytes(payload)
    if (content === null) throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(payload) })
  }
  return state.trailers === null ? content : writeWithTrailers(reply, content)
}

/** Writes a status without content, and closes the payload. */
function dropContent(reply: ReplyState, payload: unknown): null {
  const { statusCode: status } = reply
  // The client would wait for ever.
  if (status < 200) throw createError('REP_STATUS_NOT_FINAL', { status, route: reply[kPlan].label })
  reply[kState].trailers = null
  dropPayload(reply, payload)
  if (status !== 304) delete reply[kReplyHeaders]['content-type']
  return null
}

/**
 * Copies status and headers of a web `Response` to the reply; its body is the payload. Omits the fields of its
 * connection, and for a fetched response the coding and length of the body, which the platform has decoded.
 */
function unpackResponse(reply: ReplyState, response: Response): unknown {
  if (response.bodyUsed) throw createError('REP_RESPONSE_BODY_CONSUMED', {})
  const { headers, status, body } = response
  const named = (headers.get('connection') ?? '').toLowerCase().split(/[\t ]*,[\t ]*/)
  const isDecoded = isDecodedByPlatform(response)
  reply.code(status)
  for (const [name, value] of headers) {
    const isDropped =
      OF_CONNECTION.has(name) ||
      named.includes(name) ||
      (isDecoded && (name === 'content-encoding' || name === 'content-length')) ||
      // Without a body, the length is about another message, such as a response to HEAD.
      (body === null && name === 'content-length' && reply[kExchange].method !== 'HEAD')
    if (!isDropped) reply.header(name, value)
  }
  return body
}

/** Whether the platform has decoded the body. Only a fetched response has a URL. */
function isDecodedByPlatform({ url, headers }: Response): boolean {
  const coding = headers.get('content-encoding')
  if (url === '' || coding === null) return false
  return coding.split(',').every((one) => isDecoded(one.trim().toLowerCase()))
}

/** The codings that every platform decodes (Fetch section 4.6). */
const DECODED: ReadonlySet<string> = new Set(['br', 'deflate', 'gzip', 'x-gzip'])

function isDecoded(coding: string): boolean {
  return DECODED.has(coding) || (coding === 'zstd' && decodesZstd())
}

/** Whether the platform decodes it: Bun does, and Node from version 7.11 of its `fetch`. */
function decodesZstd(): boolean {
  const { versions }: { readonly versions?: Readonly<Record<string, string | undefined>> } =
    typeof process === 'undefined' ? {} : process
  if (versions?.['bun'] !== undefined) return true
  const [major = 0, minor = 0] = (versions?.['undici'] ?? '').split('.').map(Number)
  return major > 7 || (major === 7 && minor >= 11)
}

/**
 * Streams a payload to the client. An error before the first byte goes to the error handlers; a later one closes the
 * connection, so that the client does not mistake a part for the whole. The source is released if the client
 * disconnects, or another response replaces this one.
 */
export function writeStream(reply: ReplyState, source: ByteStream | WebStream): undefined {
  const exchange = reply[kExchange]
  if (isWebStream(source) && source.locked) throw createError('REP_READABLE_STREAM_LOCKED', {})
  if (exchange.turn.hasBegun) {
    writeWarning(reply, 'response will send, but the headers were sent already through the raw response')
  }
  const { trailers } = reply[kState]
  const writer = openContent(reply, trailers)
  if (exchange.turn.isGone) return dropStream(reply, source)
  let isOpen = true
  const state = reply[kState]
  const { epoch } = state
  const settle: PumpSettled = (failure) => {
    if (!isOpen) {
      if (failure !== null) writeLine(reply, 'error', failure.thrown, 'a stream failed after its end')
      return
    }
    isOpen = false
    // Another response has replaced this one, which released the source.
    if (state.epoch !== epoch && state.phase !== HIJACKED) return
    if (failure === null) return endContent(reply, writer, trailers)
    state.held?.keepFor(stop(failure.thrown))
    failContent(reply, writer, failure.thrown)
  }
  markSent(reply)
  const stop = isEventStream(reply[kReplyHeaders])
    ? pumpEvents(reply, source, writer, settle)
    : reply[kPlan].app.pump(source, writer, settle)
  exchange.onFinished((outcome) => {
    if (!isOpen) return
    isOpen = false
    const ended = stop(outcome)
    state.held?.keepFor(ended)
    reply[kPlan].deadlines?.meet(reply)
    if (outcome !== null) logStreamError(reply, outcome)
  })
}

/** Releases a stream whose client has gone: it would be read without end, and discarded. */
function dropStream(reply: ReplyState, source: ByteStream | WebStream): undefined {
  dropPayload(reply, source)
  markSent(reply)
  reply[kPlan].deadlines?.meet(reply)
}

/** Writes complete content, followed by trailers. */
export function writeWithTrailers(reply: ReplyState, content: Content | null): undefined {
  const { trailers } = reply[kState]
  const writer = openContent(reply, trailers)
  if (content !== null) writer.write(chunkBytes(content))
  markSent(reply)
  endContent(reply, writer, trailers)
}

function openContent(reply: ReplyState, trailers: Trailers | null): ContentWriter {
  const headers = reply[kReplyHeaders]
  reply[kState].presets?.fill(headers)
  // Trailers are announced in the head (RFC 9110 section 6.6.2).
  if (trailers !== null) headers['trailer'] = [...trailers.keys()].join(' ')
  const writer = reply[kExchange].open(reply.statusCode, headers, trailers !== null)
  if (writer.contradiction !== null) reportContradiction(reply, writer.contradiction)
  return writer
}

/** Closes the connection if the content is shorter than its declared length. */
function endContent(reply: ReplyState, writer: ContentWriter, trailers: Trailers | null): void {
  const end = (fields: Readonly<Record<string, string>> | null): void => {
    try {
      writer.end(fields)
    } catch (thrown) {
      failContent(reply, writer, thrown)
    }
  }
  if (trailers === null) end(null)
  else {
    const written = trailersOf(reply, trailers).then(end)
    reply[kState].held?.keepFor(written)
  }
}

function failContent(reply: ReplyState, writer: ContentWriter, thrown: unknown): void {
  const exchange = reply[kExchange]
  // A stream may fail with any value; in any case the content is incomplete.
  const mismatch = attempt(() => (thrown instanceof LengthError ? thrown : null), null)
  const error = mismatch === null ? wrapThrown(thrown) : ofRoute(reply, mismatch)
  const { hasBegun, isGone } = exchange.turn
  if (hasBegun || isGone) {
    if (!isGone) observeError(reply, error, true)
    writer.cut()
    // The message has the route and both lengths.
    if (mismatch !== null) writeLine(reply, 'error', error, error.message)
    else logStreamError(reply, error)
  } else {
    // The pump has released it.
    reply[kState].payload = undefined
    reply[kPlan].fail(reply, error)
  }
}

/** The error of content that does not have the length in its head, with the route. */
function ofRoute(reply: ReplyState, cause: LengthError): Error {
  const { label, app } = reply[kPlan]
  const details = { route: label, problem: cause.message }
  return prefixCode(createError('REP_LENGTH_MISMATCH', details, { cause }), app.options)
}

function logStreamError(reply: ReplyState, error: Error): void {
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.streamError(error, reply.request, reply))
}
