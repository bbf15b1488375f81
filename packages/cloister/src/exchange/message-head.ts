import { byteLengthOf as textLength } from '../bytes.ts'
import type { Content, Exchange, RequestHeaders } from './exchange.ts'

/** Returns a request header as one text: several lines are joined by a comma (RFC 9110 section 5.3). */
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Returns how the end of a request body is known: a transfer coding comes before a length (RFC 9112 section 6.3). */
export function framingOf(headers: RequestHeaders): Exchange['framing'] {
  if (headers['transfer-encoding'] !== undefined) return 'chunked'
  return headers['content-length'] === undefined ? 'none' : 'length'
}

/** Returns the length of a whole content in bytes. */
export function byteLengthOf(content: Content): number {
  return typeof content === 'string' ? textLength(content) : content.byteLength
}
