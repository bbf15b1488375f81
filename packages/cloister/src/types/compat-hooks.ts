// The type names of hooks that call `done`, which apps and plugins of the ecosystem import.

import type { FastifyPluginOptions } from './compat.ts'
import type {
  AbortHook,
  BodyStream,
  Done,
  DoneWith,
  ErrorHook,
  ParsingHook,
  PayloadHook,
  RequestHook,
} from './hooks.ts'
import type { BaseLogger } from './logger.ts'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
} from './peer.ts'
import type { RegisterOptions } from './plugin.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from './raw.ts'
import type { RegisteredRoute } from './route.ts'
import type { RouteGeneric } from './route-schema.ts'

/** Ends a hook. */
export type HookHandlerDoneFunction = Done
/** Ends a hook that may hand on another value. */
export type DoneFuncWithErrOrRes = DoneWith<unknown>
/** The body on its way in. */
export type RequestPayload = BodyStream

/** The types of a hook's arguments, by the type arguments of the ecosystem. */
export interface HookSides<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> {
  /** The instance of the hook's context, its `this`. */
  readonly instance: FastifyInstance<Server, RawRequest, RawReply, Logger, Provider>
  /** The request. */
  readonly request: FastifyRequest<G, Server, RawRequest, Schema, Provider, Config, Logger>
  /** The reply. */
  readonly reply: FastifyReply<G, Server, RawRequest, RawReply, Config, Schema, Provider>
}
interface AnySides {
  readonly instance: unknown
  readonly request: unknown
  readonly reply: unknown
}
type Plain<S extends AnySides> = RequestHook<S['instance'], S['request'], S['reply']>
type Parsing<S extends AnySides> = ParsingHook<S['instance'], S['request'], S['reply']>
type WithPayload<T, S extends AnySides> = PayloadHook<S['instance'], S['request'], S['reply'], T>
type WithError<S extends AnySides> = ErrorHook<S['instance'], S['request'], S['reply']>
type Aborted<S extends AnySides> = AbortHook<S['instance'], S['request']>

/** A hook `onRequest`. */
export type onRequestHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preParsing`. */
export type preParsingHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Parsing<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preValidation`. */
export type preValidationHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preHandler`. */
export type preHandlerHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preSerialization`. */
export type preSerializationHookHandler<
  T = unknown,
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = WithPayload<T, HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onSend`. */
export type onSendHookHandler<
  T = unknown,
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = WithPayload<T, HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onResponse`. */
export type onResponseHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onTimeout`. */
export type onTimeoutHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onError`. */
export type onErrorHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = WithError<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onRequestAbort`. */
export type onRequestAbortHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Aborted<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onRoute`. */
export type onRouteHookHandler = (this: FastifyInstance, options: RegisteredRoute) => void
/** A hook `onRegister`. */
export type onRegisterHookHandler = (
  this: FastifyInstance,
  instance: FastifyInstance,
  options: RegisterOptions & FastifyPluginOptions,
) => void
/** A hook `onReady`. */
export type onReadyHookHandler = (this: FastifyInstance, done: Done) => void
/** A hook `onListen`. */
export type onListenHookHandler = (this: FastifyInstance, done: Done) => void
/** A hook `preClose`. */
export type preCloseHookHandler = (this: FastifyInstance, done: Done) => void
/** A hook `onClose`. */
export type onCloseHookHandler = (this: FastifyInstance, instance: FastifyInstance, done: Done) => void
