import { isHost } from '@cloister/wire/message'

import type { AppOptions } from '../options/checked-options.generated.ts'
import { createError, type CloisterError } from '../errors.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isNamedHost } from '../exchange/host.ts'
import { retarget } from '../exchange/node-access.ts'

const SLASH = 47
const HOST = 'host'
const CODING = 'transfer-encoding'

/** Why a request is not admitted; `null` when it is. */
export type Refused = CloisterError | null

/** The fields of a request that admission checks. */
export type Applicant = Pick<
  Exchange,
  'vettedLines' | 'httpVersion' | 'protocol' | 'method' | 'target' | 'headerLines' | 'header'
>

/**
 * The rules for every request, whatever its transport, checked before it is read or routed. A proxy in front of the app
 * and the app itself must agree on them.
 *
 * Rules: a supported version (RFC 9110 section 2.5); one valid Host (RFC 9112 section 3.2), which is also that of a
 * target in absolute form (section 3.2.2); `chunked` alone as transfer coding, once, and none in HTTP/1.0 (section
 * 6.1); `*` as target for OPTIONS alone (section 3.2.4); not too many fields (RFC 9110 section 5.4).
 */
export class Admission {
  readonly #mostLines: number
  /** the last host that was found valid: most clients send the same one */
  #knownHost = ''

  constructor({ maxHeadersCount }: Pick<AppOptions, 'maxHeadersCount'>) {
    this.#mostLines = maxHeadersCount === 0 ? Infinity : maxHeadersCount * 2
  }

  /** Checks a request; the caller ends the connection of one that is refused. It is one function, since all run it. */
  check(exchange: Applicant): Refused {
    const { vettedLines } = exchange
    if (vettedLines !== null && vettedLines * 2 <= this.#mostLines) return null
    const { httpVersion, headerLines: lines } = exchange
    if (httpVersion !== '1.1' && !isSpoken(exchange)) return createError('HTTP_VERSION', {})
    if (lines.length > this.#mostLines) return createError('HEADERS_TOO_MANY', {})
    if (exchange.target.charCodeAt(0) !== SLASH) {
      const fault = checkTarget(exchange)
      if (fault !== null) return fault
    }
    if (httpVersion !== '1.1' && exchange.protocol.isMultiplexed) {
      const fault = checkAuthority(exchange)
      if (fault !== null) return fault
    }
    // One pass over the received lines: merged headers hide duplicates.
    let hosts = 0
    let codings = 0
    for (let i = 0; i < lines.length; i += 2) {
      const name = lines[i] ?? ''
      if (name.length === HOST.length && name.toLowerCase() === HOST) {
        hosts++
        const host = lines[i + 1] ?? ''
        if (hosts > 1) return createError('HOST_AMBIGUOUS', {})
        if (host !== this.#knownHost && !isHost(host)) return createError('HOST_INVALID', {})
        this.#knownHost = host
      } else if (name.length === CODING.length && name.toLowerCase() === CODING) {
        codings++
        const fault = checkCoding(lines[i + 1], codings, httpVersion)
        if (fault !== null) return fault
      }
    }
    return null
  }
}

/** A request line may claim any version; only HTTP/2 itself is HTTP/2. */
function isSpoken({ httpVersion, protocol }: Applicant): boolean {
  return httpVersion === '1.0' || (httpVersion === '2.0' && protocol.isMultiplexed)
}

/**
 * HTTP/2 names the host in `:authority`, without user information; a Host beside it must be the same (RFC 9113 section
 * 8.3.1).
 */
function checkAuthority(exchange: Applicant): Refused {
  const authority = exchange.header(':authority')
  if (authority === undefined) return null
  if (!isHost(authority)) return createError('HOST_INVALID', {})
  const host = exchange.header('host')
  const isSame = host === undefined || authority.toLowerCase() === host.toLowerCase()
  return isSame ? null : createError('HOST_AMBIGUOUS', {})
}

/**
 * `*` is a target of OPTIONS; any other target that is no path is in absolute form, which names a host too. RFC 9112
 * section 3.2.2 prefers that host to `Host`. If the two differ, the request is refused, because a proxy may have used
 * the other one.
 */
function checkTarget(exchange: Applicant): Refused {
  const { target, method } = exchange
  if (target === '*') {
    const problem = `is '*', which is for OPTIONS and not for ${method}`
    return method === 'OPTIONS' ? null : createError('TARGET_INVALID', { problem })
  }
  // HTTP/2 names the host in a field of its own (RFC 9113 section 8.3.1).
  const absolute = exchange.protocol.isMultiplexed ? null : readAbsoluteTarget(target)
  if (absolute === null) {
    const problem = 'is neither a path nor a URL of http or https with a valid host'
    return createError('TARGET_INVALID', { problem })
  }
  const host = exchange.header(HOST)
  const isSame = host === undefined || host.toLowerCase() === absolute.authority.toLowerCase()
  return isSame ? null : createError('HOST_AMBIGUOUS', {})
}

/** @param count - how many lines with a coding there are so far */
function checkCoding(value: string | undefined, count: number, httpVersion: string): Refused {
  if (httpVersion === '1.0') {
    return createError('TRANSFER_CODING_INVALID', { problem: 'needs HTTP/1.1' })
  }
  const coding = value?.trim().toLowerCase() ?? ''
  if (count === 1 && coding === 'chunked') return null
  // A list that ends in `chunked` has a known length, but unknown codings.
  const isKnownFraming = /^[\w!#$%&'*+.^`|~-]+[\t ]*,[\t ]*chunked$/.test(coding)
  return count === 1 && isKnownFraming
    ? createError('TRANSFER_CODING_UNKNOWN', {})
    : createError('TRANSFER_CODING_INVALID', { problem: "is not 'chunked', once" })
}

/** A request target in absolute form, as clients send it to proxies (RFC 9112 section 3.2.2). */
export interface AbsoluteTarget {
  /** host and port */
  readonly authority: string
  /** path and query: the same target in origin form */
  readonly local: string
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)([^#]*)$/is

/**
 * Reads a target in absolute form. Refuses user information, which only makes a host look like another one (RFC 9110
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
 * Puts the target of an admitted exchange from absolute form into origin form, so that guards which read `request.url` and the router
 * see the same path. A client of HTTP/1.0 may name the host in the target alone; then it becomes the Host.
 */
export function toOriginForm(exchange: Exchange): void {
  const absolute = readAbsoluteTarget(exchange.target)
  if (absolute === null) return
  exchange.headers['host'] ??= absolute.authority
  retarget(exchange, absolute.local)
}
