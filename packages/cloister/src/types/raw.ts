import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2SecureServer, Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Server as HttpsServer } from 'node:https'

/** A server over HTTP/1.1, plain or with TLS. */
export type Http1Server = Server | HttpsServer

/** Any server that an app can run on. */
export type RawServer = Http1Server | Http2Server | Http2SecureServer

/** Node's request object that belongs to a kind of server. */
export type RawRequestOf<S extends RawServer = Http1Server> = S extends Http1Server
  ? IncomingMessage
  : Http2ServerRequest

/** Node's response object that belongs to a kind of server. */
export type RawReplyOf<S extends RawServer = Http1Server> = S extends Http1Server
  ? ServerResponse
  : Http2ServerResponse

/** Methods with a shorthand on the instance. */
export type CommonMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH'

/** Methods for `addHttpMethod`, and extensions of HTTP. */
export type RareMethod =
  | 'TRACE'
  | 'QUERY'
  | 'PROPFIND'
  | 'PROPPATCH'
  | 'MKCOL'
  | 'MKCALENDAR'
  | 'COPY'
  | 'MOVE'
  | 'LOCK'
  | 'UNLOCK'
  | 'SEARCH'
  | 'REPORT'

/** An HTTP method in either letter case; other names are possible after `addHttpMethod`. */
export type HttpMethod =
  | CommonMethod
  | RareMethod
  | Lowercase<CommonMethod | RareMethod>
  | (string & Record<never, never>)

/** Values of a header that is sent. */
export type HeaderValue = number | string | string[] | undefined
