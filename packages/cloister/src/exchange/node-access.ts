import type { Exchange, ResponseHeaders, RequestHeaders } from './exchange.ts'
import { createError } from '../errors.ts'

/** A raw response, as far as the core uses it. */
export interface RawResponse {
  statusCode: number
  getHeader(name: string): string | number | readonly string[] | undefined
  getHeaders(): Readonly<ResponseHeaders>
}

/**
 * Node's objects of one exchange: `request.raw`, `reply.raw`, `request.socket`. The application may set status and
 * headers on the raw response or end it there, so that the framework asks it from the moment at which it was taken.
 */
export interface NodeAccess {
  /** `IncomingMessage`, or `Http2ServerRequest` */
  readonly request: object
  /** the same, where it has been made already */
  readonly madeRequest: object | null
  /** `ServerResponse`, or `Http2ServerResponse`; reading it takes it */
  readonly response: RawResponse
  /** `undefined` for requests without a connection */
  readonly socket: object | undefined
  /** the application has read `reply.raw` */
  readonly isTaken: boolean
  /** Calls back when the raw response fails; without it such an error would end the process. */
  onResponseError(callback: (error: unknown) => void): void
  /**
   * Returns the same exchange over other raw objects; `null` keeps the one that is there. A response that replaces the
   * first one counts as taken.
   */
  over(request: object | null, response: object | null): Exchange
}

/**
 * Returns the access to Node's objects of an exchange.
 *
 * @param member - what the application asked for, for the error
 * @throws `CLO_ERR_RAW_UNAVAILABLE` where the transport has none
 */
export function nodeOf(exchange: Exchange, member: string): NodeAccess {
  if (exchange.node === null) throw createError('RAW_UNAVAILABLE', { member })
  return exchange.node
}

/** Returns the access to Node's objects, where the application has taken the raw response; else `null`. */
export function takenNode({ node }: Exchange): NodeAccess | null {
  return node !== null && node.isTaken ? node : null
}

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
