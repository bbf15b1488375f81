import type { RequestHeaders } from '../../exchange/exchange.ts'

/** The parts of a request's URL that HTTP/1.1 sends. */
export interface TargetAndHost {
  /** path and query */
  readonly target: string
  /** host and port */
  readonly host: string
  readonly isEncrypted: boolean
}

/** Splits the URL of a request, which the platform has normalized already (WHATWG URL). */
export function splitUrl(url: string): TargetAndHost {
  const hostStart = url.indexOf('://') + 3
  const pathStart = url.indexOf('/', hostStart)
  const fragment = url.indexOf('#', hostStart)
  const end = fragment === -1 ? url.length : fragment
  const authority = url.slice(hostStart, pathStart)
  return {
    target: url.slice(pathStart, end),
    // A `Request` cannot have user information (Fetch section 5.4).
    host: authority,
    isEncrypted: url.startsWith('https:'),
  }
}

/** Copies the headers of a request; `host` comes from the URL where the platform leaves it out. */
export function copyHeaders(headers: Headers, host: string): RequestHeaders {
  const copy: RequestHeaders = { host }
  for (const [name, value] of headers) {
    if (name === 'set-cookie') copy[name] = [copy[name] ?? [], value].flat()
    else copy[name] = value
  }
  return copy
}
