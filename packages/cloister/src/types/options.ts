import type { ServerOptions as HttpServerOptions } from 'node:http'
import type { Http2SecureServer, Http2Server, SecureServerOptions } from 'node:http2'
import type { ServerOptions as HttpsServerOptions } from 'node:https'
import type { Socket } from 'node:net'

import type { ConstraintStrategy, HTTPVersion } from 'find-my-way'

import type { SchemaControllerOptions, SchemaErrorFormatter } from './compilers.ts'
import type { PoisoningAction } from './content-type.ts'
import type { Ctx } from './context.ts'
import type { CaughtError } from './errors.ts'
import type { LoadingCloister } from './instance.ts'
import type { RequestLogController } from './log-controller.ts'
import type { BaseLogger, ChildLoggerFactory, LoggerConfig } from './logger.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from './peer.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from './raw.ts'

/** Options of the router; they may also stand among the options of the factory. */
export interface RouterOptions {
  /** `/a` and `/a/` are one path. */
  ignoreTrailingSlash?: boolean
  /** `//a` and `/a` are one path. */
  ignoreDuplicateSlashes?: boolean
  /** Letter case of paths matters. */
  caseSensitive?: boolean
  /** Expressions in paths may take long. */
  allowUnsafeRegex?: boolean
  /** `;` begins the query string too. */
  useSemicolonDelimiter?: boolean
  /** The longest parameter. */
  maxParamLength?: number
  /** Answers paths with a longer one. */
  onMaxParamLength?: (path: string, request: RawRequestOf, reply: RawReplyOf) => void
  /** Answers paths that cannot be decoded. */
  onBadUrl?: (path: string, request: RawRequestOf, reply: RawReplyOf) => void
  /** Answers what no route answers, before the not-found handler. */
  defaultRoute?: (request: RawRequestOf, reply: RawReplyOf) => void
  /** What `printRoutes` says about a route. */
  buildPrettyMeta?: (route: never) => object
  /** Matches paths with code that is generated once all routes are known. */
  compile?: boolean
  /** Conditions of routes beside method and path. */
  constraints?: { readonly [name: string]: ConstraintStrategy<HTTPVersion, unknown> }
  /** Parses query strings. */
  querystringParser?: (query: string) => { [key: string]: unknown }
}

/** Options of the default validator. */
export interface AjvOptions {
  /** Laid over the options of the baseline. */
  customOptions?: { readonly [option: string]: unknown }
  /** Plugins, alone or with their options. */
  plugins?: readonly (((...args: never[]) => unknown) | readonly [(...args: never[]) => unknown, unknown])[]
  /** Called with the validator once it is made. */
  onCreate?: (ajv: never) => void
}

/** An error on a connection before there is a request. */
export interface ConnectionError extends Error {
  /** Node's code. */
  code: string
  /** How far the request could be read. */
  bytesParsed: number
  /** What came. */
  rawPacket: { type: string; data: number[] }
}

/** What Node's server hands its requests to, over any version of HTTP. */
export type ServerHandler = (request: RawRequestOf<RawServer>, response: RawReplyOf<RawServer>) => void

/** Options of the factory. Times are milliseconds, sizes bytes. */
export interface CloisterOptions<Raw extends RawServer = RawServer> extends RouterOptions {
  /** Options of Node's HTTP server. */
  http?: HttpServerOptions | null
  /** Speak HTTP/2. */
  http2?: boolean
  /** Options of TLS; with them, the app speaks it. */
  https?: HttpsServerOptions | SecureServerOptions | null
  /** Time until an idle HTTP/2 session ends. */
  http2SessionTimeout?: number
  /** Time until a connection without traffic ends. */
  connectionTimeout?: number
  /** Time a connection is kept for the next request. */
  keepAliveTimeout?: number
  /** Requests per connection; 0 for any number. */
  maxRequestsPerSocket?: number
  /**
   * Time until the head of a request must have arrived, else 408; 0 for any time. `http.headersTimeout` wins.
   *
   * @default 10000
   */
  headersTimeout?: number
  /**
   * Time until the whole of a request must have arrived, its body included, else 408; 0 for any time.
   *
   * @default 300000
   */
  requestTimeout?: number
  /**
   * Time that an answer waits for a client that reads nothing of it; then its connection is cut. Each byte that the
   * client reads begins it anew. 0 for any time.
   *
   * @default 30000
   */
  writeTimeout?: number
  /**
   * The most header lines of a request, else 431; 0 for any number.
   *
   * @default 1000
   */
  maxHeadersCount?: number
  /** Time until a handler must have answered; 0 for any time. */
  handlerTimeout?: number
  /** Time until a plugin must be loaded. */
  pluginTimeout?: number
  /** Time that `close` waits for requests under way. */
  closeGraceMs?: number
  /** The largest body. */
  bodyLimit?: number
  /** What `close` does to open connections. */
  forceCloseConnections?: boolean | 'idle'
  /** While closing, requests are answered with 503. */
  return503OnClosing?: boolean
  /** Makes Node's server. */
  serverFactory?: (handler: ServerHandler, options: Record<string, unknown>) => Raw
  /** Told of errors on connections. */
  clientErrorHandler?: (error: ConnectionError, socket: Socket) => void
  /** Rewrites the target of a request. */
  rewriteUrl?: (this: FastifyInstance, request: RawRequestOf) => string
  /** Answers errors before there is a route. */
  frameworkErrors?: (error: CaughtError, request: FastifyRequest, reply: FastifyReply) => unknown
  /** Which proxies are believed. */
  trustProxy?: boolean | string | readonly string[] | number | ((address: string, hop: number) => boolean)
  /** A HEAD route beside each GET route. */
  exposeHeadRoutes?: boolean
  /** What happens to `__proto__` in a JSON body. */
  onProtoPoisoning?: PoisoningAction
  /** What happens to `constructor` in a JSON body. */
  onConstructorPoisoning?: PoisoningAction
  /** Schemas may be written as a list of properties. */
  jsonShorthand?: boolean
  /** The default validator. */
  ajv?: AjvOptions
  /** Options of the default serializer. */
  serializerOpts?: { readonly [option: string]: unknown }
  /** Where shared schemas live, and who compiles. */
  schemaController?: SchemaControllerOptions
  /** Makes the errors of failed validations. */
  schemaErrorFormatter?: SchemaErrorFormatter
  /** `auto`: compile on first use; `eager`: compile everything while booting. */
  schemaCompilation?: 'auto' | 'eager'
  /** `strict`: a conversion that loses something is an error. */
  serialization?: 'compat' | 'strict'
  /**
   * False: JSON bodies must have the types that their schemas name; nothing in them is coerced. Queries, params,
   * headers and form bodies, which know only text, are coerced as ever. Default true.
   */
  coerceJsonBodies?: boolean
  /** `branch`: a union with a discriminator reports what the chosen branch lacks. */
  unionErrors?: 'all' | 'branch'
  /** Clients see the messages of errors with status 500 and above. */
  exposeErrors?: boolean
  /** What the codes of errors begin with. Default `CLO_ERR_`. */
  errorCodePrefix?: string
  /** An error handler may be set twice. */
  allowErrorHandlerOverride?: boolean
  /** Whether and how to log. */
  logger?: boolean | LoggerConfig | BaseLogger
  /** A logger of your own. */
  loggerInstance?: BaseLogger
  /** Requests are not logged, or not those the function tells. */
  disableRequestLogging?: boolean | ((request: FastifyRequest) => boolean)
  /** Writes the lines about requests, in place of `disableRequestLogging` and `requestIdLogLabel`. */
  logController?: RequestLogController | undefined
  /** Makes the loggers of requests. */
  childLoggerFactory?: ChildLoggerFactory
  /** The header that names a request; `true` for `request-id`. */
  requestIdHeader?: string | boolean
  /** The key of a request's name in the log. */
  requestIdLogLabel?: string
  /** Makes the names of requests. */
  genReqId?: (request: RawRequestOf) => string
  /** Options of the router. */
  routerOptions?: RouterOptions
  /** Conditions on the `Accept-Version` header. */
  versioning?: object
}

/** The options of an app after defaults, frozen. */
export type ResolvedOptions = Readonly<
  Pick<
    CloisterOptions,
    | 'connectionTimeout'
    | 'keepAliveTimeout'
    | 'forceCloseConnections'
    | 'bodyLimit'
    | 'caseSensitive'
    | 'allowUnsafeRegex'
    | 'http2'
    | 'ignoreTrailingSlash'
    | 'ignoreDuplicateSlashes'
    | 'disableRequestLogging'
    | 'maxParamLength'
    | 'onProtoPoisoning'
    | 'onConstructorPoisoning'
    | 'pluginTimeout'
    | 'requestIdHeader'
    | 'requestIdLogLabel'
    | 'http2SessionTimeout'
    | 'useSemicolonDelimiter'
    | 'routerOptions'
  > & { https?: boolean | Readonly<{ allowHTTP1?: boolean }> }
>

/** The kind of server that the options ask for. */
export type ServerFor<O> = O extends {
  readonly serverFactory: (...args: never[]) => infer S extends RawServer
}
  ? S
  : O extends { readonly http2: true }
    ? O extends { readonly https: object }
      ? Http2SecureServer
      : Http2Server
    : Http1Server

/**
 * The context of a fresh app. Over HTTP/2 `server` and `raw` are Node's objects for it: as decorations, so that
 * plugins written for HTTP/1.1 fit.
 */
export type RootContext<O = {}> =
  ServerFor<O> extends Http1Server
    ? Ctx
    : Ctx<
        { readonly server: ServerFor<O> },
        { readonly raw: RawRequestOf<ServerFor<O>> },
        { readonly raw: RawReplyOf<ServerFor<O>> }
      >

/** The type of the factory. */
export type CloisterFactory = <const O extends CloisterOptions = CloisterOptions>(
  options?: O,
) => LoadingCloister<RootContext<O>>
