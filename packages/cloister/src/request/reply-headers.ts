import type { ReplyHeaders } from './exchange.ts'

/**
 * Sets a header of the answer. Several `set-cookie` lines stand beside each other (RFC 6265 section 3); of every
 * other header the last value counts.
 */
export function setReplyHeader(
  headers: ReplyHeaders,
  name: string,
  value: string | number | readonly string[] | undefined,
): void {
  const key = name.toLowerCase()
  const existing = headers[key]
  if (key === 'set-cookie' && existing !== undefined) {
    headers[key] = [existing, value ?? ''].flat().map(String)
  } else {
    headers[key] = typeof value === 'object' ? [...value] : (value ?? '')
  }
}
