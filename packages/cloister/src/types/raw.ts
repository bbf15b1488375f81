import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Http2SecureServer, Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Server as HttpsServer } from 'node:https'

/** An HTTP/1.1 server, with or without TLS. */
export type Http1Server = Server | HttpsServer

/** Any server that an app can use. */
export type RawServer = Http1Server | Http2Server | Http2SecureServer

/** Node's request object for a kind of server. */
export type RawRequestOf<S extends RawServer = Http1Server> = S extends Http1Server
  ? IncomingMessage
  : Http2ServerRequest

/** Node's response object for a kind of server. */
export type RawReplyOf<S extends RawServer = Http1Server> = S extends Http1Server
  ? ServerResponse
  : Http2ServerResponse

/** Methods with a shorthand on the instance. */
export type CommonMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH'

/** Methods for `addHttpMethod`, and HTTP extension methods. */
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

/** An HTTP method in upper or lower case. Other names are possible after `addHttpMethod`. */
export type HttpMethod =
  | CommonMethod
  | RareMethod
  | Lowercase<CommonMethod | RareMethod>
  | (string & Record<never, never>)

/** The values of a response header. */
export type HeaderValue = number | string | string[] | undefined
