// The type names of hooks that apps and plugins of the ecosystem import; those of request hooks are generated.

import type { FastifyPluginOptions } from './names.ts'
import type {
  AbortHook,
  BodyStream,
  Done,
  DoneWith,
  ErrorHook,
  ParsingHook,
  PayloadHook,
  RequestHook,
} from '../hooks.ts'
import type { BaseLogger } from '../logger.ts'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
} from './interfaces.ts'
import type { RegisterOptions } from '../plugin.ts'
import type { Http1Server, RawReplyOf, RawRequestOf, RawServer } from '../raw.ts'
import type { RegisteredRoute } from '../route.ts'
import type { RouteGeneric } from '../route-schema.ts'

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

/** The hooks that call `done`, by what they get; `T` is the payload. */
export interface HookForms<S extends AnySides, T = unknown> {
  /** Gets request and reply. */
  request: RequestHook<S['instance'], S['request'], S['reply']>
  /** May replace the stream of the body. */
  body: ParsingHook<S['instance'], S['request'], S['reply']>
  /** May replace the payload. */
  payload: PayloadHook<S['instance'], S['request'], S['reply'], T>
  /** Gets the error. */
  error: ErrorHook<S['instance'], S['request'], S['reply']>
  /** Gets the request alone. */
  abort: AbortHook<S['instance'], S['request']>
}

type Async<This, Arguments extends unknown[]> = (this: This, ...given: Arguments) => Promise<unknown>

/** The asynchronous hooks, by what they get; `T` is the payload. */
export interface AsyncHookForms<S extends AnySides, T = unknown> {
  /** Gets request and reply. */
  request: Async<S['instance'], [request: S['request'], reply: S['reply']]>
  /** May replace the stream of the body. */
  body: Async<S['instance'], [request: S['request'], reply: S['reply'], payload: BodyStream]>
  /** May replace the payload. */
  payload: Async<S['instance'], [request: S['request'], reply: S['reply'], payload: T]>
  /** Gets the error. */
  error: Async<S['instance'], [request: S['request'], reply: S['reply'], error: Error]>
  /** Gets the request alone. */
  abort: Async<S['instance'], [request: S['request']]>
}

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
/** A hook `onReady` that is asynchronous. */
export type onReadyAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `onListen` that is asynchronous. */
export type onListenAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `preClose` that is asynchronous. */
export type preCloseAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `onClose` that is asynchronous. */
export type onCloseAsyncHookHandler = (this: FastifyInstance, instance: FastifyInstance) => Promise<unknown>
