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
