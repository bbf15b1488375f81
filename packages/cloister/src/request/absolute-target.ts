import type { Exchange } from '../exchange/exchange.ts'
import { isNamedHost } from '../exchange/host.ts'

/** A request target in absolute form, as clients send it to proxies (RFC 9112 section 3.2.2). */
export interface AbsoluteTarget {
  /** host and port */
  readonly authority: string
  /** path and query: the same target in origin form */
  readonly local: string
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)$/is

/**
 * Reads a target in absolute form. User information is refused: it only makes a host look like another one (RFC 9110
 * section 4.2.4).
 *
 * @returns `null` for a target in another form, of another scheme, or without a valid host
 */
export function readAbsoluteTarget(target: string): AbsoluteTarget | null {
  const match = ABSOLUTE.exec(target)
  if (match === null) return null
  const [, authority = '', rest = ''] = match
  if (!isNamedHost(authority)) return null
  return { authority, local: rest.startsWith('/') ? rest : `/${rest}` }
}

/**
 * Returns an admitted exchange with a target that was in absolute form in origin form, so that guards which read `request.url` and the router
 * see the same path. A client of HTTP/1.0 may name the host in the target alone; then it becomes the Host.
 */
export function toOriginForm(exchange: Exchange): Exchange {
  const absolute = readAbsoluteTarget(exchange.target)
  if (absolute === null) return exchange
  exchange.headers['host'] ??= absolute.authority
  return exchange.withTarget(absolute.local)
}
