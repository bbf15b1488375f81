// The type names that apps and plugins of the ecosystem import, so that an app that aliases the package compiles.

import type { CallbackFunc, Chain, InjectOptions, Response } from 'light-my-request'

import type { CloisterError, ErrorCode, ValidationIssue } from '../errors.ts'
import type { HttpPart, SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from '../compilers.ts'
import type {
  AddContentTypeParser as Parsers,
  BodyParser,
  PoisoningAction,
  StreamParser,
} from '../content-type.ts'
import type { CloisterInstance } from '../instance.ts'
import type { PrintRoutesOptions } from '../routing.ts'
import type { ListenOptions } from '../server.ts'
import type { BaseLogger, ChildLoggerFactory, LogFn, LoggerConfig } from '../logger.ts'
import type { CloisterOptions, ConnectionError } from '../options.ts'
import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RouteShorthandOptions,
} from './interfaces.ts'
import type { Register, RegisterOptions } from '../plugin.ts'
import type { Http1Server, HttpMethod, RawReplyOf, RawRequestOf, RawServer } from '../raw.ts'
import type { ResolvedRouteOptions, RouteConfig } from '../route-options.ts'
import type { GivenAnswer, HandlerResult } from '../route.ts'
import type { RouteGeneric } from '../route-schema.ts'

export type * from './hooks.generated.ts'
export type * from './hooks.ts'
export type {
  CallbackFunc as LightMyRequestCallback,
  Chain as LightMyRequestChain,
  ConnectionError,
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  InjectOptions,
  PrintRoutesOptions,
  RegisterOptions,
  Response as LightMyRequestResponse,
  RouteGeneric as RouteGenericInterface,
}

/** Options of a plugin that says nothing about them. */
export interface FastifyPluginOptions {
  // oxlint-disable-next-line typescript/no-explicit-any -- interfaces have no index signature and fit no other
  [name: string]: any
}

/** A plugin that calls `done`. */
export type FastifyPluginCallback<
  Options extends object = Record<never, never>,
  Server extends RawServer = Http1Server,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = (
  instance: FastifyInstance<Server, RawRequestOf<Server>, RawReplyOf<Server>, Logger, TypeProvider>,
  opts: Options,
  done: (error?: Error) => void,
) => void

/** A plugin that returns a promise. */
export type FastifyPluginAsync<
  Options extends object = Record<never, never>,
  Server extends RawServer = Http1Server,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = (
  instance: FastifyInstance<Server, RawRequestOf<Server>, RawReplyOf<Server>, Logger, TypeProvider>,
  opts: Options,
) => Promise<void>

/** A plugin of either style. */
export type FastifyPlugin<Options extends object = Record<never, never>> =
  | FastifyPluginCallback<Options>
  | FastifyPluginAsync<Options>

/** The second argument of `register`. */
export type FastifyRegisterOptions<Options> =
  | (RegisterOptions & Options)
  | ((instance: FastifyInstance) => RegisterOptions & Options)

/** An error with a code and a status. */
export interface FastifyError extends Error {
  /** The stable code of the error, as in `CLO_ERR_VALIDATION`. */
  code: string
  /** The name of the error's class. */
  name: string
  /** The status of the response to the request that failed. */
  statusCode?: number
  /** The violations of a failed validation. */
  validation?: ValidationIssue[]
  /** The request part that failed validation. */
  validationContext?: string
}

/** The constructors of coded errors, by code. */
export type FastifyErrorCodes = { readonly [Code in ErrorCode]: new (...details: never[]) => CloisterError }

/** Options of the factory. */
export type FastifyServerOptions<Server extends RawServer = Http1Server> = CloisterOptions<Server>
/** Options of the factory, over HTTP/1.1. */
export type FastifyHttpOptions<Server extends RawServer = Http1Server> = CloisterOptions<Server>
/** Options of the factory, with TLS. */
export type FastifyHttpsOptions<Server extends RawServer = Http1Server> = CloisterOptions<Server>
/** Options of the factory, over HTTP/2. */
export type FastifyHttp2Options<Server extends RawServer = RawServer> = CloisterOptions<Server> & {
  http2: true
}
/** Options of the factory, over HTTP/2 with TLS. */
export type FastifyHttp2SecureOptions<Server extends RawServer = RawServer> = FastifyHttp2Options<Server>
/** Where and how to listen. */
export type FastifyListenOptions = ListenOptions
/** Options of the router. */
export type FastifyRouterOptions = CloisterOptions['routerOptions']

/** The members that the framework needs of a logger. */
export type FastifyBaseLogger = BaseLogger
/** The members that the framework needs of a logger, under the old name. */
export type FastifyLoggerInstance = BaseLogger
/** The `logger` option. */
export type FastifyLoggerOptions = LoggerConfig
/** Writes one line to the log. */
export type FastifyLogFn = LogFn
/** Makes the logger of a request. */
export type FastifyChildLoggerFactory = ChildLoggerFactory<FastifyInstance>

/** Parts of a request by type argument. */
export type RequestGenericInterface = Omit<RouteGeneric, 'Reply'>
/** The payload by type argument. */
export type ReplyGenericInterface = Pick<RouteGeneric, 'Reply'>
/** The options of a route as requests see them. */
export type RequestRouteOptions<Config = unknown> = ResolvedRouteOptions<Config>
/** The members that the framework adds to the `config` of a route. */
export type FastifyRouteConfig = RouteConfig
/** The `config` of a route, as requests carried it. */
export interface FastifyRequestContext<Config = unknown> {
  /** The `config` of the route. */
  config: FastifyContextConfig & RouteConfig & Config
}
/** The `config` of a route, as replies carried it. */
export type FastifyReplyContext<Config = unknown> = FastifyRequestContext<Config>
/** A value of `config` when nothing is said about it. */
export type ContextConfigDefault = unknown

/** A handler that states its own types. */
export type RouteHandlerMethod<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = (
  this: FastifyInstance,
  request: FastifyRequest<G, Server, RawRequest, SchemaCompiler, TypeProvider, Config, Logger>,
  reply: FastifyReply<G, Server, RawRequest, RawReply, Config, SchemaCompiler, TypeProvider>,
) => HandlerResult<GivenAnswer<G>>
/** A handler that states its own types. */
export type RouteHandler<G extends RouteGeneric = RouteGeneric> = RouteHandlerMethod<
  Http1Server,
  RawRequestOf,
  RawReplyOf,
  G
>
/** Options of a route with its handler among them. */
export interface RouteShorthandOptionsWithHandler extends RouteShorthandOptions {
  /** Answers the requests of the route. */
  handler: RouteHandlerMethod
}

/** A compiler of validators. */
export type FastifySchemaCompiler<Schema = unknown> = ValidatorCompiler<Schema>
/** A compiler of serializers. */
export type FastifySerializerCompiler<Schema = unknown> = SerializerCompiler<Schema>
/** One violation. */
export type FastifySchemaValidationError = ValidationIssue
/** One violation, under its old name. */
export type ValidationResult = ValidationIssue
/** The part of the request in a formatter. */
export type SchemaErrorDataVar = HttpPart
export type { SchemaErrorFormatter }

/** A parser of bodies that were read in full. */
export type FastifyBodyParser<Raw extends string | Buffer> = BodyParser<Raw>
/** A parser of bodies from their stream. */
export type FastifyContentTypeParser = StreamParser
/** The type of `addContentTypeParser`. */
export type AddContentTypeParser = Parsers
/** The type of `hasContentTypeParser`. */
export type hasContentTypeParser = CloisterInstance['hasContentTypeParser']
/** The type of `removeContentTypeParser`. */
export type removeContentTypeParser = CloisterInstance['removeContentTypeParser']
/** The type of `removeAllContentTypeParsers`. */
export type removeAllContentTypeParsers = CloisterInstance['removeAllContentTypeParsers']
/** The type of `getDefaultJsonParser`. */
export type getDefaultJsonParser = CloisterInstance['getDefaultJsonParser']
/** The type of `register`. */
export type FastifyRegister = Register
/** The treatment of `__proto__`. */
export type ProtoAction = PoisoningAction
/** The treatment of `constructor`. */
export type ConstructorAction = PoisoningAction

/** An HTTP method. */
export type HTTPMethods = HttpMethod
/** Any kind of server. */
export type RawServerBase = RawServer
/** The kind of server without options. */
export type RawServerDefault = Http1Server
/** Node's request of a kind of server. */
export type RawRequestDefaultExpression<Server extends RawServer = Http1Server> = RawRequestOf<Server>
/** Node's response of a kind of server. */
export type RawReplyDefaultExpression<Server extends RawServer = Http1Server> = RawReplyOf<Server>
/** A body when nothing is said about it. */
export type RequestBodyDefault = unknown
/** A query string when nothing is said about it. */
export type RequestQuerystringDefault = unknown
/** Parameters when nothing is said about them. */
export type RequestParamsDefault = unknown
/** Headers when nothing is said about them. */
export type RequestHeadersDefault = unknown
/** The mapping of a type provider that maps nothing. */
export type FastifyTypeProviderDefault = FastifyTypeProvider

/** Makes a server. */
export type FastifyServerFactory = NonNullable<CloisterOptions['serverFactory']>
/** The listener of a server's requests. */
export type FastifyServerFactoryHandler = Parameters<FastifyServerFactory>[0]
