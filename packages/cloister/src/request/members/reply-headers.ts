import type { ResponseHeaders } from '../../exchange/exchange.ts'

/**
 * Sets a header of the response. Several `set-cookie` headers are kept side by side (RFC 6265 section 3); of every
 * other header the last value counts. Dates, booleans and `null` are written as text.
 */
export function setReplyHeader(headers: ResponseHeaders, name: string, value: unknown): void {
  const key = name.toLowerCase()
  const existing = headers[key]
  if (typeof value === 'string' && (existing === undefined || key !== 'set-cookie')) headers[key] = value
  else if (key === 'set-cookie' && existing !== undefined) {
    headers[key] = [existing, value ?? ''].flat().map(String)
  } else if (Array.isArray(value)) headers[key] = value.map(String)
  else headers[key] = typeof value === 'number' ? value : String(value === undefined ? '' : value)
}
