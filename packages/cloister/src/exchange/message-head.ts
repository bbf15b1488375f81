import { byteLengthOf } from '../bytes.ts'
import type { Content, Exchange, RequestHeaders, ResponseHeaders } from './exchange.ts'

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

/**
 * Declares the length of the content of a response. A response to HEAD keeps the length that it declares: the one that
 * GET would have (RFC 9110 section 8.6).
 */
export function declareLength(method: string, headers: ResponseHeaders, content: Content): void {
  if (method === 'HEAD' && headers['content-length'] !== undefined) return
  const length = typeof content === 'string' ? byteLengthOf(content) : content.byteLength
  headers['content-length'] = String(length)
}
