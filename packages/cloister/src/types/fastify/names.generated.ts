// Made by `npm run docs:options` from scripts/lib/fastify-names.mjs and the table of hooks. Do not edit.
import type { Buffer } from 'node:buffer'
import type { CloisterError, ErrorCode } from '../errors.ts'
import type { LogFn } from '../logger.ts'
import type { RouteGeneric as RouteGenericInterface } from '../route-schema.ts'
export type { CallbackFunc as LightMyRequestCallback, Chain as LightMyRequestChain, InjectOptions, Response as LightMyRequestResponse } from 'light-my-request'
import type { HttpPart, SerializerCompiler, ValidatorCompiler } from '../compilers.ts'
import type { AddParser, BodyParser, PoisoningAction, StreamParser } from '../content-type.ts'
import type { CaughtError, ValidationIssue } from '../errors.ts'
import type { FastifyContextConfig, FastifyInstance, FastifyPluginOptions, FastifyReply, FastifyRequest, FastifyRequestContext, FastifySchema, FastifyTypeProvider, ProvidedSendable } from './interfaces.ts'
import type { BodyStream, Done, DoneWith } from '../hooks.ts'
import type { CloisterInstance } from '../instance.ts'
import type { BaseLogger, ChildLoggerFactory, LoggerConfig } from '../logger.ts'
import type { PlainRouteOptions } from '../options.generated.ts'
import type { CloisterOptions } from '../options.ts'
import type { Register, RegisterOptions } from '../plugin.ts'
import type { Http1Server, HttpMethod, RawReplyOf, RawRequestOf, RawServer } from '../raw.ts'
import type { ResolvedRouteOptions, RouteConfig } from '../route-options.ts'
import type { RouteGeneric } from '../route-schema.ts'
import type { HandlerResult, RegisteredRoute } from '../route.ts'
import type { ListenOptions } from '../server.ts'
export type { SchemaErrorFormatter } from '../compilers.ts'
export type { FastifyContextConfig, FastifyError, FastifyInstance, FastifyPluginOptions, FastifyReply, FastifyRequest, FastifyRequestContext, FastifySchema, FastifyTypeProvider, RouteShorthandMethod, SafePromiseLike } from './interfaces.ts'
export type { ConnectionError } from '../options.ts'
export type { RegisterOptions } from '../plugin.ts'
export type { RouteGeneric as RouteGenericInterface } from '../route-schema.ts'
export type { PrintRoutesOptions } from '../routing.ts'

type OneOrMany<T> = T | T[]

/** Any kind of server. */
export type RawServerBase = RawServer

/** The kind of server without options. */
export type RawServerDefault = Http1Server

/** Node's request of a kind of server. */
export type RawRequestDefaultExpression<RawServer extends RawServerBase = RawServerDefault> = RawRequestOf<RawServer>

/** Node's response of a kind of server. */
export type RawReplyDefaultExpression<RawServer extends RawServerBase = RawServerDefault> = RawReplyOf<RawServer>

/** The type provider that maps nothing. */
export type FastifyTypeProviderDefault = FastifyTypeProvider

/** The `config` of a route that declares none. */
export type ContextConfigDefault = unknown

/** The body of a route that declares none. */
export type RequestBodyDefault = unknown

/** The query string of a route that declares none. */
export type RequestQuerystringDefault = unknown

/** The parameters of a route that declares none. */
export type RequestParamsDefault = unknown

/** The headers of a route that declares none. */
export type RequestHeadersDefault = unknown

/** An HTTP method. */
export type HTTPMethods = HttpMethod

/** Options of the factory. */
export type FastifyServerOptions<
  RawServer extends RawServerBase = RawServerDefault,
  _Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CloisterOptions<RawServer>

/** Options of the factory, over HTTP/1.1. */
export type FastifyHttpOptions<
  RawServer extends RawServerBase = RawServerDefault,
  _Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CloisterOptions<RawServer>

/** Options of the factory, with TLS. */
export type FastifyHttpsOptions<
  RawServer extends RawServerBase = RawServerDefault,
  _Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CloisterOptions<RawServer> & { https: NonNullable<CloisterOptions['https']> | null; http2?: false }

/** Options of the factory, over HTTP/2. */
export type FastifyHttp2Options<
  RawServer extends RawServerBase = RawServerBase,
  _Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CloisterOptions<RawServer> & { http2: true }

/** Options of the factory, over HTTP/2 with TLS. */
export type FastifyHttp2SecureOptions<
  RawServer extends RawServerBase = RawServerBase,
  _Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = FastifyHttp2Options<RawServer> & { https: NonNullable<CloisterOptions['https']> | null }

/** Options of `listen`. */
export type FastifyListenOptions = ListenOptions

/** Options of the router. */
export type FastifyRouterOptions<_RawServer extends RawServerBase = RawServerDefault> = CloisterOptions['routerOptions']

/** Creates a server. */
export type FastifyServerFactory<RawServer extends RawServerBase = RawServerDefault> = (handler: FastifyServerFactoryHandler<RawServer>, options: Record<string, unknown>) => RawServer

/** The listener of a server's requests. */
export type FastifyServerFactoryHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
> = (request: RawRequest, response: RawReply) => void

/** The methods that the framework needs of a logger. */
export type FastifyBaseLogger = BaseLogger

/** The name of `FastifyBaseLogger` in Fastify 3.x. */
export type FastifyLoggerInstance = BaseLogger

/** The option `logger` as an object. */
export type FastifyLoggerOptions<
  _RawServer extends RawServerBase = RawServerDefault,
  _RawRequest = FastifyRequest,
  _RawReply = FastifyReply,
> = LoggerConfig

/** Writes a line to the log. */
export type FastifyLogFn = LogFn

/** Creates the logger of a request. */
export type FastifyChildLoggerFactory<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = ChildLoggerFactory<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>

/** A plugin that calls `done`. */
export type FastifyPluginCallback<
  Options extends object = Record<never, never>,
  RawServer extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (instance: FastifyInstance<RawServer, RawRequestOf<RawServer>, RawReplyOf<RawServer>, Logger, TypeProvider>, options: Options, done: (error?: Error) => void) => void

/** A plugin that returns a promise. */
export type FastifyPluginAsync<
  Options extends object = Record<never, never>,
  RawServer extends RawServerBase = RawServerDefault,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (instance: FastifyInstance<RawServer, RawRequestOf<RawServer>, RawReplyOf<RawServer>, Logger, TypeProvider>, options: Options) => Promise<void>

/** A plugin of either style. */
export type FastifyPlugin<Options extends object = Record<never, never>> = FastifyPluginCallback<Options> | FastifyPluginAsync<Options>

/** The second argument of `register`. */
export type FastifyRegisterOptions<Options = Record<never, never>> = (RegisterOptions & Options) | ((instance: FastifyInstance) => RegisterOptions & Options)

/** The type of `register`. */
export type FastifyRegister<
  _T = void,
  _RawServer extends RawServerBase = RawServerDefault,
  _TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  _Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = Register

/** The constructors of coded errors, by code. */
export type FastifyErrorCodes = { readonly [Code in ErrorCode]: new (...details: never[]) => CloisterError }

/** One violation. */
export type FastifySchemaValidationError = ValidationIssue

/** One violation, under its name in Fastify 4.x. */
export type ValidationResult = ValidationIssue

/** The part of a request, for a formatter of errors. */
export type SchemaErrorDataVar = HttpPart

/** Compiles request schemas. */
export type FastifySchemaCompiler<Schema = unknown> = ValidatorCompiler<Schema>

/** Compiles response schemas. */
export type FastifySerializerCompiler<Schema = unknown> = SerializerCompiler<Schema>

/** The types of the request parts. */
export type RequestGenericInterface = Omit<RouteGeneric, 'Reply'>

/** The type of the payload. */
export type ReplyGenericInterface = Pick<RouteGeneric, 'Reply'>

/** The options of a route, as requests have them. */
export type RequestRouteOptions<Config = unknown> = ResolvedRouteOptions<Config>

/** The keys that the framework adds to the `config` of a route. */
export type FastifyRouteConfig = RouteConfig

/** The `config` of a route, as replies have it. */
export type FastifyReplyContext<Config = unknown> = FastifyRequestContext<Config>

/** A handler that states its own types. */
export type RouteHandlerMethod<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
) => HandlerResult<ProvidedSendable<RouteGeneric, SchemaCompiler, TypeProvider>>

/** A handler that states its own types; those of the route come first. */
export type RouteHandler<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = RouteHandlerMethod<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>

/** Parses a body that was read in full. */
export type FastifyBodyParser<
  RawBody extends string | Buffer,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = BodyParser<RawBody, FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>>

/** Parses a body from its stream. */
export type FastifyContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = StreamParser<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>>

/** The type of `addContentTypeParser`. */
export type AddContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  _RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  _RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  _SchemaCompiler extends FastifySchema = FastifySchema,
  _TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = AddParser

/** The type of `hasContentTypeParser`. */
export type hasContentTypeParser = CloisterInstance['hasContentTypeParser']

/** The type of `removeContentTypeParser`. */
export type removeContentTypeParser = CloisterInstance['removeContentTypeParser']

/** The type of `removeAllContentTypeParsers`. */
export type removeAllContentTypeParsers = CloisterInstance['removeAllContentTypeParsers']

/** The type of `getDefaultJsonParser`. */
export type getDefaultJsonParser = CloisterInstance['getDefaultJsonParser']

/** What happens to `__proto__` in a JSON body. */
export type ProtoAction = PoisoningAction

/** What happens to `constructor.prototype` in a JSON body. */
export type ConstructorAction = PoisoningAction

/** Ends a hook. */
export type HookHandlerDoneFunction = Done

/** Ends a hook that may replace a value. */
export type DoneFuncWithErrOrRes = DoneWith<unknown>

/** The stream of a request body. */
export type RequestPayload = BodyStream

/** A hook `onRoute`. */
export type onRouteHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  _RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  _SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, options: RegisteredRoute & { config?: ContextConfig }) => void

/** A hook `onRegister`. */
export type onRegisterHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Options extends FastifyPluginOptions = FastifyPluginOptions,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, options: RegisterOptions & Options) => void

/** A hook `onReady`. */
export type onReadyHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, done: Done) => void

/** A hook `onReady` that is asynchronous. */
export type onReadyAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>

/** A hook `onListen`. */
export type onListenHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, done: Done) => void

/** A hook `onListen` that is asynchronous. */
export type onListenAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>

/** A hook `preClose`. */
export type preCloseHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, done: Done) => void

/** A hook `preClose` that is asynchronous. */
export type preCloseAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>

/** A hook `onClose`. */
export type onCloseHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, done: Done) => void

/** A hook `onClose` that is asynchronous. */
export type onCloseAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>, instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>

/** A hook `onRequest`. */
export type onRequestHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  done: Done,
) => void

/** A hook `onRequest` that is asynchronous. */
export type onRequestAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
) => Promise<unknown>

/** A hook `preParsing`. */
export type preParsingHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  payload: BodyStream,
  done: DoneWith<BodyStream>,
) => void

/** A hook `preParsing` that is asynchronous. */
export type preParsingAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  payload: BodyStream,
) => Promise<unknown>

/** A hook `preValidation`. */
export type preValidationHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  done: Done,
) => void

/** A hook `preValidation` that is asynchronous. */
export type preValidationAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
) => Promise<unknown>

/** A hook `preHandler`. */
export type preHandlerHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  done: Done,
) => void

/** A hook `preHandler` that is asynchronous. */
export type preHandlerAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
) => Promise<unknown>

/** A hook `preSerialization`. */
export type preSerializationHookHandler<
  Payload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  payload: Payload,
  done: DoneWith<Payload>,
) => void

/** A hook `preSerialization` that is asynchronous. */
export type preSerializationAsyncHookHandler<
  Payload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  payload: Payload,
) => Promise<unknown>

/** A hook `onSend`. */
export type onSendHookHandler<
  Payload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  payload: Payload,
  done: DoneWith<Payload>,
) => void

/** A hook `onSend` that is asynchronous. */
export type onSendAsyncHookHandler<
  Payload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  payload: Payload,
) => Promise<unknown>

/** A hook `onResponse`. */
export type onResponseHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  done: Done,
) => void

/** A hook `onResponse` that is asynchronous. */
export type onResponseAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
) => Promise<unknown>

/** A hook `onError`. */
export type onErrorHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  TError extends Error = CaughtError,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  error: TError,
  done: () => void,
) => void

/** A hook `onError` that is asynchronous. */
export type onErrorAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  TError extends Error = CaughtError,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  error: TError,
) => Promise<unknown>

/** A hook `onTimeout`. */
export type onTimeoutHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
  done: Done,
) => void

/** A hook `onTimeout` that is asynchronous. */
export type onTimeoutAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  reply: FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>,
) => Promise<unknown>

/** A hook `onRequestAbort`. */
export type onRequestAbortHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
  done: Done,
) => void

/** A hook `onRequestAbort` that is asynchronous. */
export type onRequestAbortAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>,
) => Promise<unknown>

interface LooseHooks<Request, Reply, Instance> {
  request(this: Instance, request: Request, reply: Reply, done: Done): unknown
  body(this: Instance, request: Request, reply: Reply, payload: BodyStream, done: DoneWith<BodyStream>): unknown
  payload(this: Instance, request: Request, reply: Reply, payload: unknown, done: DoneWith<unknown>): unknown
  error(this: Instance, request: Request, reply: Reply, error: CaughtError, done: () => void): unknown
  abort(this: Instance, request: Request, done: Done): unknown
  onError(this: Instance, error: CaughtError, request: Request, reply: Reply): unknown
  handler(this: Instance, request: Request, reply: Reply): unknown
}

declare const unused: unique symbol

/** Options of a route without its method, path and handler, and what plugins add to them. */
export interface RouteShorthandOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends PlainRouteOptions {
  /** The schemas of the route. */
  schema?: SchemaCompiler
  /** Data of the route for plugins and handlers. */
  config?: FastifyContextConfig & ContextConfig
  /** Hooks `onRequest` of the route. */
  onRequest?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['request']>
  /** Hooks `preParsing` of the route. */
  preParsing?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['body']>
  /** Hooks `preValidation` of the route. */
  preValidation?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['request']>
  /** Hooks `preHandler` of the route. */
  preHandler?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['request']>
  /** Hooks `preSerialization` of the route. */
  preSerialization?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['payload']>
  /** Hooks `onSend` of the route. */
  onSend?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['payload']>
  /** Hooks `onResponse` of the route. */
  onResponse?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['request']>
  /** Hooks `onError` of the route. */
  onError?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['error']>
  /** Hooks `onTimeout` of the route. */
  onTimeout?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['request']>
  /** Hooks `onRequestAbort` of the route. */
  onRequestAbort?: OneOrMany<LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['abort']>
  /** Handles the errors of the route. */
  errorHandler?: LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['onError']
  /** Exists in types alone. */
  readonly [unused]?: [TypeProvider, Logger]
}

/** Options of a route in full, and what plugins add to them. */
export interface RouteOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger> {
  /** The method or methods. */
  method: HttpMethod | HttpMethod[]
  /** The path. */
  url: string
  /** Handles the requests of the route. */
  handler: LooseHooks<FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider, ContextConfig, Logger>, FastifyReply<RouteGeneric, RawServer, RawRequest, RawReply, ContextConfig, SchemaCompiler, TypeProvider>, FastifyInstance>['handler']
}

/** Options of a route with its handler among them. */
export interface RouteShorthandOptionsWithHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestOf<RawServer> = RawRequestOf<RawServer>,
  RawReply extends RawReplyOf<RawServer> = RawReplyOf<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger> {
  /** Handles the requests of the route. */
  handler: RouteHandlerMethod<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
}
