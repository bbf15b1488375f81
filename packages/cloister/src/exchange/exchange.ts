import type { ContentWriter, ResponseHeaders, Turn } from '@cloister/wire/message'

import type { NodeAccess } from './node-access.ts'
import type { ByteStream } from './streams.ts'
import { look } from '../foreign.ts'

export type { ContentWriter, ResponseHeaders, Turn }

/** Headers of a request, by lower-case name. Only `set-cookie` is a list. */
export type RequestHeaders = Record<string, string | string[] | undefined>

/** Content that is there as a whole. */
export type Content = string | Uint8Array

/** What the receiver gets of a body. */
export type ReadAs = 'text' | 'bytes'

/** The other end of the connection. */
export interface Peer {
  /** address and port are `undefined` where the platform does not say them */
  readonly address: string | undefined
  readonly port: number | undefined
  readonly isEncrypted: boolean
}

/**
 * Why an exchange is over: `null` when the response is complete, else why it never will be; `prematureClose()` when
 * the client went away.
 */
export type Outcome = (Error & { readonly code?: string | undefined }) | null

/** Gets the request body from the transport. */
export interface BodyReceiver {
  receive(content: Content): void
  /** Gets the reason why there is no body; returns the error that `readBody` throws, or rejects with. */
  refuse(error: unknown): unknown
}

/**
 * The transport contract: one request in, one response out.
 *
 * The core reads requests and writes responses through this and nothing else; it needs no object of Node. A transport
 * decides framing and length once. It makes what is expensive (the headers object, Node's objects) on demand.
 */
export interface Exchange {
  readonly method: string
  /** the request target, as rewritten by `rewriteUrl` */
  readonly target: string
  /** the request target as the client sent it */
  readonly originalTarget: string
  /** the version of the protocol; a request line of HTTP/1.1 may claim any */
  readonly httpVersion: string
  /** what the protocol can carry */
  readonly protocol: Protocol
  readonly headers: RequestHeaders
  /** names and values of the header lines in turn, as they came; empty where a transport has no such lines */
  readonly headerLines: readonly string[]
  /** one request header by its lower-case name; several lines are joined by a comma */
  header(name: string): string | undefined
  /**
   * How many header lines there are, where the transport itself has held the request to the other rules of
   * `request/admission.ts`; else `null`.
   */
  readonly vettedLines: number | null
  readonly peer: Peer
  /** how the end of the request body is known (RFC 9112 section 6.3) */
  readonly framing: 'none' | 'length' | 'chunked'
  /** the declared length of the request body in bytes; `null` unless `framing` is `length` */
  readonly bodyLength: number | null
  /** the request body as a stream */
  readonly bodyStream: ByteStream
  /**
   * Reads the request body, or the stream that a hook has put in its place.
   *
   * @param replacement - read instead of the body; `null` for the body itself
   * @param limit - the most bytes that are taken
   * @param as - what the receiver gets
   * @returns a thenable, where the body has not arrived yet; else the receiver has got it
   */
  readBody(replacement: ByteStream | null, limit: number, as: ReadAs, receiver: BodyReceiver): unknown
  /** what it may do now: a row of the table of turns, which the other members obey */
  readonly turn: Turn
  /** the status line has been written */
  readonly headersSent: boolean
  /** nothing more can be written: the response is complete, or the client has gone */
  readonly ended: boolean
  /** the client went away before the response was complete */
  readonly aborted: boolean
  /**
   * Writes the whole response. The transport decides its framing, whatever the headers say.
   *
   * @returns what the headers say about the framing that is not so; `null` where nothing is
   * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE` when the head cannot be written; nothing has been
   * written then
   */
  send(status: number, headers: ResponseHeaders, content: Content | null): string | null
  /**
   * Prepares a response whose content is written piece by piece, with back-pressure. The head goes out with the first
   * piece; until then another response can take the place of this one.
   *
   * @param hasTrailers - trailers may follow; only where the protocol has them
   * @throws `CLO_ERR_REP_INVALID_HEADER`, `CLO_ERR_BAD_STATUS_CODE` when the head cannot be written; nothing has been
   * written then
   */
  open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter
  /** Writes an early hint (RFC 8297), as long as the final response has not begun. */
  sendEarlyHints(hints: Readonly<Record<string, string | string[]>>, written?: () => void): void
  /** Ends the connection with this response, which says so. */
  endConnection(): void
  /** Ends the connection without a (complete) response; nothing happens to one that is complete. */
  abort(error?: Error): void
  /** Calls back once when the exchange is over. An injected one is over within `send`; others call back later. */
  onFinished(callback: (outcome: Outcome) => void): void
  /** Calls back when the client goes away before the response is complete. */
  onAbort(callback: () => void): void
  /** Calls back when the connection times out while the exchange is open. */
  onTimeout(callback: () => void): void
  /** The same exchange with another target; `originalTarget` stays. */
  withTarget(target: string): Exchange
  /** Node's own objects; `null` where the transport has none. */
  readonly node: NodeAccess | null
}

/** What a protocol can carry. A transport has one constant for all requests that come the same way. */
export interface Protocol {
  /** requests are streams of one session: each has a host of its own, and no fields about the connection (RFC 9113) */
  readonly isMultiplexed: boolean
  /** responses can have trailers (RFC 9110 section 6.5) */
  readonly hasTrailers: boolean
  /** a response with the status 205 can have content */
  readonly hasContentOf205: boolean
}

/** HTTP/1.1 (RFC 9112). */
export const HTTP1: Protocol = { isMultiplexed: false, hasTrailers: true, hasContentOf205: true }

/** HTTP/2 (RFC 9113). Node ends the streams with the headers of a 205. */
export const HTTP2: Protocol = { isMultiplexed: true, hasTrailers: true, hasContentOf205: false }

/** `Request` and `Response` of the web platform: a 205 has no content there (Fetch section 2.2.3), and none has trailers. */
export const FETCH: Protocol = { isMultiplexed: false, hasTrailers: false, hasContentOf205: false }

/** Whether the client went away before the response was complete. */
export function isPrematureClose(outcome: Outcome): boolean {
  return look(outcome, 'code') === 'ERR_STREAM_PREMATURE_CLOSE'
}
