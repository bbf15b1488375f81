import { headerOf } from 'cloister/inspect'

import { WebRefusal } from './errors.ts'
import type { OriginTest } from './origins.ts'

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE'])

/** What the check reads of a request. */
export interface CheckedRequest {
  readonly method: string
  readonly protocol: string
  readonly host: string
}

/**
 * Refuses requests that change something, and handshakes of WebSockets, if a page of another origin sends them. Browsers
 * say so in `Sec-Fetch-Site`, older ones in `Origin` (the algorithm of Go's CrossOriginProtection); other clients send
 * neither, and carry no cookies of a browser.
 *
 * @param isTrusted - origins that may send such requests
 * @returns the refusal, or `null`
 */
export function refuseCrossOrigin(request: CheckedRequest, isTrusted: OriginTest): WebRefusal | null {
  const { method } = request
  const isHandshake = headerOf(request, 'upgrade')?.toLowerCase() === 'websocket'
  if (SAFE.has(method) && !isHandshake) return null
  const site = headerOf(request, 'sec-fetch-site')
  const origin = headerOf(request, 'origin')
  if (site === 'same-origin' || site === 'none') return null
  if (site === undefined && origin === undefined) return null
  if (typeof origin === 'string' && isTrusted(origin)) return null
  if (site === undefined && origin !== 'null' && origin === `${request.protocol}://${request.host}`)
    return null
  return new WebRefusal(
    'CLO_ERR_WEB_CROSS_ORIGIN',
    `A page of another origin (${String(origin ?? site)}) may not send ${method} requests`,
  )
}
