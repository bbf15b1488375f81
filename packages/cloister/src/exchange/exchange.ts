import type { ContentWriter, ResponseHeaders, Turn } from '@cloister/wire/message'

import type { NodeAccess } from './node-access.ts'
import type { ByteStream } from './streams.ts'
import type { PlatformConnection } from '../types/upgrade.ts'
import type { Outcome } from './ends.ts'

export type { ContentWriter, ResponseHeaders, Turn }

/** Headers of a request, by lower-case name. Only `set-cookie` is a list. */
export type RequestHeaders = Record<string, string | string[] | undefined>

/** Complete content of a body. */
export type Content = string | Uint8Array

/**
 * The form in which a receiver gets a body. As `utf-8`, it gets text that has no U+FFFD, which bytes that are not UTF-8
 * become, or the bytes; a transport may give the bytes of any body.
 */
export type ReadAs = 'text' | 'bytes' | 'utf-8'

export interface Peer {
  /** `undefined` if the platform does not provide address and port */
  readonly address: string | undefined
  readonly port: number | undefined
  readonly isEncrypted: boolean
}

/** Receives the request body from the transport. */
export interface BodyReceiver {
  /** whether a text that is not valid UTF-8 may come without its byte order mark */
  readonly dropsMark?: boolean
  receive(content: Content): void
  /** Receives the error if there is no body. Returns the error that `readBody` throws or rejects with. */
  refuse(error: unknown): unknown
  /** Returns the error that `readBody` throws if the application has read the body already. */
  consumed(): Error
}

/**
 * The transport contract: one request in, one response out.
 *
 * The core reads requests and writes responses only through this interface and needs no objects of Node. A transport
 * decides framing and length once. It creates expensive objects (the headers object, Node's objects) on demand.
 */
export interface Exchange {
  readonly method: string
  /** the request target, as rewritten by `rewriteUrl`; see `retarget` */
  target: string
  /** the request target as the client sent it */
  readonly originalTarget: string
  /** the protocol version; an HTTP/1.1 request line may claim any version */
  readonly httpVersion: string
  readonly protocol: Protocol
  readonly headers: RequestHeaders
  /** alternating names and values of the header lines as they arrived; empty if the transport has no such lines */
  readonly headerLines: readonly string[]
  /** returns a request header by its lower-case name; several lines are joined by a comma */
  header(name: string): string | undefined
  /**
   * The number of header lines, if the transport has already checked the other rules of `request/admission.ts`;
   * otherwise `null`.
   */
  readonly vettedLines: number | null
  readonly peer: Peer
  /** how the end of the request body is determined (RFC 9112 section 6.3) */
  readonly framing: 'none' | 'length' | 'chunked'
  /** the declared length of the request body in bytes; `null` unless `framing` is `length` */
  readonly bodyLength: number | null
  readonly bodyStream: ByteStream
  /**
   * Reads the request body, or the stream that a hook has replaced it with.
   *
   * @param replacement - read instead of the body; `null` for the body itself
   * @param limit - the most bytes to read
   * @param as - the form that the receiver gets
   * @returns a thenable if the body has not arrived yet; otherwise the receiver already has it
   */
  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown
  /** what the exchange may do now: a row of the table of turns, which the other members follow */
  readonly turn: Turn
  /**
   * Writes the whole response. The transport decides its framing, regardless of the headers. Writes nothing, without an
   * error, to a client that has gone.
   *
   * @param lines - lines of further headers, already checked, each with its end; none unless `takesLines`
   * @returns a description of the headers that contradict the framing; `null` if there are none
   * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE` if the head can't be written; nothing has been
   * written then
   */
  send(status: number, headers: ResponseHeaders, content: Content | null, lines?: string): string | null
  /** whether `send` can write lines that are composed already */
  readonly takesLines: boolean
  /**
   * Prepares a response whose content is written in chunks, with backpressure. The head is sent with the first chunk;
   * until then, another response can replace this one.
   *
   * @param hasTrailers - trailers may follow, if the protocol has them
   * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE` if the head can't be written; nothing has been
   * written then
   */
  open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter
  /** Writes early hints (RFC 8297) if the final response has not begun. */
  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void
  /** Closes the connection after this response, and announces it in the response. */
  endConnection(): void
  /** Closes the connection without a (complete) response. Has no effect if the response is complete. */
  abort(error?: Error): void
  /** Calls back once when the exchange is over. An injected exchange is over within `send`; others call back later. */
  onFinished(callback: (outcome: Outcome) => void): void
  /** Calls back when the connection times out while the exchange is open. */
  onTimeout(callback: () => void): void
  /** Node's objects; `null` if the transport has none. */
  readonly node: NodeAccess | null
  /** The request of a platform that switches protocols itself; absent where Node's objects do. */
  readonly platform?: PlatformConnection
}

/** The capabilities of a protocol. A transport uses one constant for all requests that arrive the same way. */
export interface Protocol {
  /** requests are streams of one session: each has its own host, and no fields about the connection (RFC 9113) */
  readonly isMultiplexed: boolean
  /** the head of a request says whether it has a body (RFC 9112 section 6.3) */
  readonly announcesBodies: boolean
  /** responses can have trailers (RFC 9110 section 6.5) */
  readonly hasTrailers: boolean
  /** a response with status 205 can have content */
  readonly hasContentOf205: boolean
}

/** HTTP/1.1 (RFC 9112). */
export const HTTP1: Protocol = {
  isMultiplexed: false,
  announcesBodies: true,
  hasTrailers: true,
  hasContentOf205: true,
}

/** HTTP/2 (RFC 9113). Node ends the stream with the headers of a 205 response. */
export const HTTP2: Protocol = {
  isMultiplexed: true,
  announcesBodies: false,
  hasTrailers: true,
  hasContentOf205: false,
}

/**
 * `Request` and `Response` of the web platform. A 205 response has no content (Fetch section 2.2.3), and no response
 * has trailers. Deno gives each POST a stream, which has no bytes if the client sent none.
 */
export const FETCH: Protocol = {
  isMultiplexed: false,
  announcesBodies: false,
  hasTrailers: false,
  hasContentOf205: false,
}
