// The type names of hooks that apps and plugins of the ecosystem import.

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
import type { FastifyInstance, FastifyReply, FastifyRequest } from './peer.ts'
import type { RegisterOptions } from './plugin.ts'
import type { RegisteredRoute } from './route.ts'

/** Ends a hook. */
export type HookHandlerDoneFunction = Done
/** Ends a hook that may hand on another value. */
export type DoneFuncWithErrOrRes = DoneWith<unknown>
/** The body on its way in. */
export type RequestPayload = BodyStream
type Plain = RequestHook<FastifyInstance, FastifyRequest, FastifyReply>
type PlainAsync = (this: FastifyInstance, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type Payload<T> = PayloadHook<FastifyInstance, FastifyRequest, FastifyReply, T>
type PayloadAsync<T> = (
  this: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: T,
) => Promise<unknown>

/** A hook `onRequest`. */
export type onRequestHookHandler = Plain
/** A hook `onRequest` that is asynchronous. */
export type onRequestAsyncHookHandler = PlainAsync
/** A hook `preParsing`. */
export type preParsingHookHandler = ParsingHook<FastifyInstance, FastifyRequest, FastifyReply>
/** A hook `preParsing` that is asynchronous. */
export type preParsingAsyncHookHandler = PayloadAsync<BodyStream>
/** A hook `preValidation`. */
export type preValidationHookHandler = Plain
/** A hook `preValidation` that is asynchronous. */
export type preValidationAsyncHookHandler = PlainAsync
/** A hook `preHandler`. */
export type preHandlerHookHandler = Plain
/** A hook `preHandler` that is asynchronous. */
export type preHandlerAsyncHookHandler = PlainAsync
/** A hook `preSerialization`. */
export type preSerializationHookHandler<T = unknown> = Payload<T>
/** A hook `preSerialization` that is asynchronous. */
export type preSerializationAsyncHookHandler<T = unknown> = PayloadAsync<T>
/** A hook `onSend`. */
export type onSendHookHandler<T = unknown> = Payload<T>
/** A hook `onSend` that is asynchronous. */
export type onSendAsyncHookHandler<T = unknown> = PayloadAsync<T>
/** A hook `onResponse`. */
export type onResponseHookHandler = Plain
/** A hook `onResponse` that is asynchronous. */
export type onResponseAsyncHookHandler = PlainAsync
/** A hook `onTimeout`. */
export type onTimeoutHookHandler = Plain
/** A hook `onTimeout` that is asynchronous. */
export type onTimeoutAsyncHookHandler = PlainAsync
/** A hook `onError`. */
export type onErrorHookHandler = ErrorHook<FastifyInstance, FastifyRequest, FastifyReply>
/** A hook `onError` that is asynchronous. */
export type onErrorAsyncHookHandler = (
  this: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
) => Promise<unknown>
/** A hook `onRequestAbort`. */
export type onRequestAbortHookHandler = AbortHook<FastifyInstance, FastifyRequest>
/** A hook `onRequestAbort` that is asynchronous. */
export type onRequestAbortAsyncHookHandler = (
  this: FastifyInstance,
  request: FastifyRequest,
) => Promise<unknown>
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
/** A hook `onReady` that is asynchronous. */
export type onReadyAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `onListen`. */
export type onListenHookHandler = (this: FastifyInstance, done: Done) => void
/** A hook `onListen` that is asynchronous. */
export type onListenAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `preClose`. */
export type preCloseHookHandler = (this: FastifyInstance, done: Done) => void
/** A hook `preClose` that is asynchronous. */
export type preCloseAsyncHookHandler = (this: FastifyInstance) => Promise<unknown>
/** A hook `onClose`. */
export type onCloseHookHandler = (this: FastifyInstance, instance: FastifyInstance, done: Done) => void
/** A hook `onClose` that is asynchronous. */
export type onCloseAsyncHookHandler = (this: FastifyInstance, instance: FastifyInstance) => Promise<unknown>
