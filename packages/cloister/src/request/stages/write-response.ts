import type { ByteStream, WebStream } from '../../exchange/streams.ts'
import type { Content, Exchange } from '../../exchange/exchange.ts'
import { toBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import { typeName } from '../../guards.ts'
import { kExchange, kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import { discard, isNodeStream, isResponse, isWebStream } from '../payload-kind.ts'
import { SENT, type ReplyState, type RequestState } from '../state.ts'
import type { RoutePlan } from '../route-plan.ts'
import { reportContradiction } from '../write-line.ts'
import { OF_CONNECTION } from '../../exchange/message-head.ts'
import { writeStream, writeWithTrailers } from './write-stream.ts'

/**
 * Stage: passes status, headers and payload to the transport.
 *
 * Rules: 204 and 304 have no content, and no length from the framework (RFC 9110 sections 6.4.1, 8.6). Content that the
 * application sends with 205 is sent if the transport can: section 15.3.6 forbids it, but proxies forward such
 * responses. 1xx never ends a request (section 15.2). A response to HEAD keeps the length of the response to GET
 * (section 9.3.2). A length that does not match the payload is corrected.
 */
export function writeResponse(_plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  const state = reply[kState]
  const { payload } = state
  const exchange = reply[kExchange]
  const { node } = exchange
  const status = node !== null && node.isTaken ? node.response.statusCode : state.status
  const isWhole = typeof payload === 'string' && state.trailers === null
  if (!isWhole || status === 204 || status === 304 || status === 205 || status < 200) {
    writeSpecial(reply, payload)
    return
  }
  const contradiction = exchange.send(status, reply[kReplyHeaders], payload)
  state.phase = SENT
  if (contradiction !== null) reportContradiction(reply, contradiction)
  state.deadlines?.meet(reply)
}

/** Some transports cannot send content with a 205. */
const hasNoContent = (status: number, exchange: Exchange): boolean =>
  status === 204 || status === 304 || status < 200 || (status === 205 && !exchange.protocol.hasContentOf205)

/** Writes any payload that is not a text with a status that has content. */
function writeSpecial(reply: ReplyState, given: unknown): void {
  const payload = isResponse(given) ? unpackResponse(reply, given) : given
  const headers = reply[kReplyHeaders]
  const isHead = reply[kExchange].method === 'HEAD'
  reply[kState].payload = payload
  if (hasNoContent(reply.statusCode, reply[kExchange])) {
    writeEmpty(reply, payload)
    return
  }
  if (payload === undefined || payload === null) {
    if (isHead && reply[kPlan].isExposedHead) headers['content-length'] ??= '0'
    finish(reply, null)
  } else if (isNodeStream(payload) || isWebStream(payload)) {
    writeStreaming(reply, payload, isHead)
  } else {
    writeContent(reply, payload)
  }
}

/** Writes a status without content, and closes the payload. */
function writeEmpty(reply: ReplyState, payload: unknown): void {
  const { statusCode: status } = reply
  const headers = reply[kReplyHeaders]
  // The client would wait for ever.
  if (status < 200) throw createError('REP_STATUS_NOT_FINAL', { status, route: reply[kPlan].label })
  // Without content there are no trailers.
  reply[kState].trailers = null
  discard(payload)
  if (status !== 304) delete headers['content-type']
  finish(reply, null)
}

function writeStreaming(reply: ReplyState, payload: ByteStream | WebStream, isHead: boolean): void {
  if (isHead) {
    discard(payload)
    finish(reply, null)
  } else writeStream(reply, payload)
}

function writeContent(reply: ReplyState, payload: unknown): void {
  const content = typeof payload === 'string' ? payload : toBytes(payload)
  if (content === null) throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(payload) })
  finish(reply, content)
}

function finish(reply: ReplyState, content: Content | null): void {
  if (reply[kState].trailers !== null) {
    writeWithTrailers(reply, content)
    return
  }
  const contradiction = reply[kExchange].send(reply.statusCode, reply[kReplyHeaders], content)
  reply[kState].phase = SENT
  if (contradiction !== null) reportContradiction(reply, contradiction)
  reply[kState].deadlines?.meet(reply)
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
