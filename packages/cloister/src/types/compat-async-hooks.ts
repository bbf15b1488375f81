// The type names of asynchronous hooks, which apps and plugins of the ecosystem import.

import type { HookSides } from './compat-hooks.ts'
import type { BodyStream } from './hooks.ts'
import type { BaseLogger } from './logger.ts'
import type { FastifyInstance, FastifySchema, FastifyTypeProvider } from './peer.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from './raw.ts'
import type { RouteGeneric } from './route-schema.ts'

interface AnySides {
  readonly instance: unknown
  readonly request: unknown
  readonly reply: unknown
}
type Plain<S extends AnySides> = (
  this: S['instance'],
  request: S['request'],
  reply: S['reply'],
) => Promise<unknown>
type With<T, S extends AnySides> = (
  this: S['instance'],
  request: S['request'],
  reply: S['reply'],
  value: T,
) => Promise<unknown>
type Aborted<S extends AnySides> = (this: S['instance'], request: S['request']) => Promise<unknown>

/** A hook `onRequest` that is asynchronous. */
export type onRequestAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preParsing` that is asynchronous. */
export type preParsingAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = With<BodyStream, HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preValidation` that is asynchronous. */
export type preValidationAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preHandler` that is asynchronous. */
export type preHandlerAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `preSerialization` that is asynchronous. */
export type preSerializationAsyncHookHandler<
  T = unknown,
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = With<T, HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onSend` that is asynchronous. */
export type onSendAsyncHookHandler<
  T = unknown,
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = With<T, HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onResponse` that is asynchronous. */
export type onResponseAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onTimeout` that is asynchronous. */
export type onTimeoutAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Plain<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onError` that is asynchronous. */
export type onErrorAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = With<Error, HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onRequestAbort` that is asynchronous. */
export type onRequestAbortAsyncHookHandler<
  Server extends RawServer = Http1Server,
  RawRequest extends RawRequestOf<Server> = RawRequestOf<Server>,
  RawReply extends RawReplyOf<Server> = RawReplyOf<Server>,
  G extends RouteGeneric = RouteGeneric,
  Config = unknown,
  Schema extends FastifySchema = FastifySchema,
  Provider extends FastifyTypeProvider = FastifyTypeProvider,
  Logger extends BaseLogger = BaseLogger,
> = Aborted<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>
/** A hook `onReady` that is asynchronous. */
export type onReadyAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `onListen` that is asynchronous. */
export type onListenAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `preClose` that is asynchronous. */
export type preCloseAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `onClose` that is asynchronous. */
export type onCloseAsyncHookHandler = (this: FastifyInstance, instance: FastifyInstance) => Promise<unknown>
