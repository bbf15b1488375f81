// Made by `npm run docs:options` from the table of request hooks in packages/cloister/src/hooks/names.ts. Do not edit.
import type { AsyncHookForms, HookForms, HookSides } from './hooks.ts'
import type { BaseLogger } from '../logger.ts'
import type { FastifySchema, FastifyTypeProvider } from './interfaces.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from '../raw.ts'
import type { RouteGeneric } from '../route-schema.ts'

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['body']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['body']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>, T>['payload']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>, T>['payload']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>, T>['payload']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>, T>['payload']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['error']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['error']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['request']

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
> = HookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['abort']

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
> = AsyncHookForms<HookSides<Server, RawRequest, RawReply, G, Config, Schema, Provider, Logger>>['abort']
