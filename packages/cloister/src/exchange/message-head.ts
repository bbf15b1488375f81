import { FieldError, frame, StatusError, type Framing } from '@cloister/wire/message'
import { problemOfField } from '@cloister/wire/message/internal'

import { byteLengthOf as textLength } from '../bytes.ts'
import type { Content, Exchange, RequestHeaders, ResponseHeaders } from './exchange.ts'
import { createError } from '../errors.ts'

/** Fields of one connection (RFC 9110 section 7.6.1), in addition to those listed in `Connection`. */
export const OF_CONNECTION: ReadonlySet<string> = new Set(
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/** Returns a request header as one string. Several lines are joined by a comma (RFC 9110 section 5.3). */
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns how the end of a request body is determined. A transfer coding takes precedence over a length (RFC 9112
 * section 6.3).
 */
export function framingOf(headers: RequestHeaders): Exchange['framing'] {
  if (headers['transfer-encoding'] !== undefined) return 'chunked'
  return headers['content-length'] === undefined ? 'none' : 'length'
}

export function byteLengthOf(content: Content): number {
  return typeof content === 'string' ? textLength(content) : content.byteLength
}

/** Decides the framing of a response that is not written to a connection, and sets the true length in its headers. */
export function frameWithoutConnection(
  method: string,
  status: number,
  headers: ResponseHeaders,
  size: number,
): Framing {
  const said = { length: headers['content-length'], coding: headers['transfer-encoding'] }
  const framing = frame({ method, status, httpVersion: '1.1', size, hasTrailers: false }, said)
  if (framing.length !== null) headers['content-length'] = framing.length
  else if (said.length !== undefined) delete headers['content-length']
  return framing
}

/** @throws `CLO_ERR_TRANSPORT_UNSUPPORTED` */
export function refuseEarlyHints(): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what: 'reply.writeEarlyHints',
    instead: 'Link headers of the response',
  })
}

/**
 * Converts the error of a head that a transport could not write.
 *
 * @returns `CLO_ERR_REP_INVALID_HEADER` with the invalid header, or `CLO_ERR_BAD_STATUS_CODE`; any other `cause`
 * unchanged
 */
export function explainHead(headers: ResponseHeaders, cause: unknown): unknown {
  if (cause instanceof StatusError) return createError('BAD_STATUS_CODE', { status: cause.given }, { cause })
  if (cause instanceof FieldError)
    return createError('REP_INVALID_HEADER', { name: cause.field, reason: cause.reason }, { cause })
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    const reason = value === undefined ? null : problemOfField(name, value)
    if (reason !== null) return createError('REP_INVALID_HEADER', { name, reason }, { cause })
  }
  return cause
}
