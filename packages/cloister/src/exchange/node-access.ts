import type { Exchange, ResponseHeaders, RequestHeaders } from './exchange.ts'
import { createError } from '../errors.ts'

/** The part of a raw response that the core uses. */
export interface RawResponse {
  statusCode: number
  readonly headersSent: boolean
  removeHeader(name: string): void
  getHeader(name: string): string | number | readonly string[] | undefined
  getHeaders(): Readonly<ResponseHeaders>
}

/**
 * Node's objects of one exchange: `request.raw`, `reply.raw`, `request.socket`. The application may set status and
 * headers on the raw response or end it, so the framework reads its state once the application has accessed it.
 */
export interface NodeAccess {
  /** `IncomingMessage`, or `Http2ServerRequest` */
  readonly request: object
  /** the same object if it already exists */
  readonly madeRequest: object | null
  /** `ServerResponse`, or `Http2ServerResponse`; reading the property counts as access */
  readonly response: RawResponse
  readonly socket: object | undefined
  /** the application has read `reply.raw` */
  readonly isTaken: boolean
  /** Calls back when the raw response fails. Without a listener the error would end the process. */
  onResponseError(callback: (error: unknown) => void): void
  /**
   * Returns the same exchange with other raw objects; `null` keeps the current one. A replaced response counts as
   * accessed.
   */
  over(request: object | null, response: object | null): Exchange
}

/** Gives an exchange another target, of which its raw request learns too; `originalTarget` does not change. */
export function retarget(exchange: Exchange, target: string): void {
  exchange.target = target
  const made = exchange.node?.madeRequest ?? null
  if (made !== null) Reflect.set(made, 'url', target)
}

/**
 * Returns the access to Node's objects of an exchange.
 *
 * @param member - the member that the application used, for the error
 * @throws `CLO_ERR_RAW_UNAVAILABLE` if the transport has none
 */
export function nodeOf(exchange: Exchange, member: string): NodeAccess {
  if (exchange.node === null) throw createError('RAW_UNAVAILABLE', { member })
  return exchange.node
}

/** Returns the access to Node's objects if the application has read `reply.raw`, otherwise `null`. */
export function takenNode({ node }: Exchange): NodeAccess | null {
  return node !== null && node.isTaken ? node : null
}

/** A substitute for Node's raw request, passed to application functions if the transport has no raw request. */
export interface RequestView {
  readonly method: string
  readonly url: string
  readonly originalUrl: string
  readonly headers: RequestHeaders
  readonly socket: { readonly remoteAddress: string | undefined; readonly encrypted: boolean }
}

/**
 * Returns the raw request for an application function (`genReqId`, constraint strategies, `rewriteUrl` …), or a view of
 * the request if the transport has no raw request.
 */
export function rawRequestOrView(exchange: Exchange): object {
  return exchange.node === null ? viewRequest(exchange) : exchange.node.request
}

/**
 * Returns the fields of a request that an address resolver and built-in constraint strategies read, without creating
 * the raw request.
 */
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

/** Removes a header from the raw response, if the application has accessed it and its head is not out. */
export function removeRawHeader(exchange: Exchange, name: string): void {
  const raw = takenNode(exchange)?.response
  if (raw?.headersSent === false) raw.removeHeader(name)
}
