import { createError } from '../errors.ts'
import { typeName } from '../functions.ts'
import { kExchange, kPayload, kPhase, kReplyHeaders, kTrailers } from '../symbols.ts'
import { asBytes, discard, isNodeStream, isResponse, isWebStream } from './payload-kind.ts'
import type { ReplyImpl } from './reply.ts'
import { ANSWERED } from './reply-phase.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'
import { writeStream, writeWebStream } from './write-stream.ts'
import { announceTrailers, writeTrailers } from './write-trailers.ts'

/**
 * Stage: status, headers and payload go to the transport.
 *
 * Rules: no content and no length for 1xx, 204 and 304 (RFC 9110 sections 6.4.1, 8.6); a HEAD answer keeps the
 * length of what GET would send (section 9.3.2); a length that does not match the payload is corrected.
 */
export function writeResponse(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl): void {
  const payload = reply[kPayload]
  if (isResponse(payload)) reply[kPayload] = unpackResponse(reply, payload)
  if (reply[kTrailers] !== null) announceTrailers(reply)
  writePayload(plan, request, reply, reply[kPayload])
}

function writePayload(_plan: RoutePlan, request: RequestImpl, reply: ReplyImpl, payload: unknown): void {
  const exchange = reply[kExchange]
  const headers = reply[kReplyHeaders]
  const { status } = exchange
  if (hasNoContent(status)) {
    discard(payload)
    if (status !== 304) {
      delete headers['content-type']
      delete headers['content-length']
    }
    return finish(reply, null)
  }
  if (payload === undefined || payload === null) {
    if (request.method !== 'HEAD' && reply[kTrailers] === null) headers['content-length'] = '0'
    return finish(reply, null)
  }
  if (request.method === 'HEAD' && (isNodeStream(payload) || isWebStream(payload))) {
    discard(payload)
    return finish(reply, null)
  }
  if (isNodeStream(payload)) return writeStream(reply, payload)
  if (isWebStream(payload)) return writeWebStream(reply, payload)
  const content = typeof payload === 'string' ? payload : asBytes(payload)
  if (content === null) throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(payload) })
  if (reply[kTrailers] === null) {
    const length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
    if (request.method !== 'HEAD' || headers['content-length'] === undefined) {
      headers['content-length'] = String(length)
    }
  }
  finish(reply, content)
}

function hasNoContent(status: number): boolean {
  return status === 204 || status === 304 || status < 200
}

function finish(reply: ReplyImpl, content: string | Uint8Array | null): void {
  const exchange = reply[kExchange]
  if (reply[kTrailers] === null) exchange.respond(exchange.status, reply[kReplyHeaders], content)
  else writeTrailers(reply, content)
  reply[kPhase] = ANSWERED
}

/** Status and headers of a web `Response` become the reply's; its body the payload. */
function unpackResponse(reply: ReplyImpl, response: Response): unknown {
  if (response.bodyUsed) throw createError('REP_RESPONSE_BODY_CONSUMED', {})
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  return response.body
}
