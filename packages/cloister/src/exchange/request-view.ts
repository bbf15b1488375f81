import type { Exchange, RequestHeaders } from './exchange.ts'

/** A request in the shape that functions of the application expect, where the transport has no raw request of Node. */
export interface RequestView {
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly headers: RequestHeaders
  readonly socket: { readonly remoteAddress: string | undefined; readonly encrypted: boolean }
}

/**
 * Returns the raw request for a function of the application (`genReqId`, constraint strategies, `rewriteUrl` …), or a
 * view of the request where the transport has none.
 */
export function rawRequestOrView(exchange: Exchange): object {
  return exchange.node === null ? viewRequest(exchange) : exchange.node.request
}

/** Returns what an address resolver and built-in constraint strategies read of a request; makes no raw request. */
export function viewRequest(exchange: Exchange): RequestView {
  const { method, target, originalTarget, headers, peer } = exchange
  return {
    method,
    url: target,
    originalUrl: originalTarget,
    headers,
    socket: { remoteAddress: peer.address, encrypted: peer.isEncrypted },
  }
}
