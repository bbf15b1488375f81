import type { Readable } from 'node:stream'

import type { Context } from './context.ts'
import type { CaughtError } from './errors.ts'
import type { Cloister } from './instance.ts'
import type { RegisterOptions } from './plugin.ts'
import type { ContextReply, ContextRequest } from './request-of.ts'
import type { RegisteredRoute } from './route.ts'

/** Ends a hook of the callback style, with an error if there is one. */
export type Done = (error?: Error | null) => void

/** Ends a hook of the callback style that may hand on another value. */
export type DoneWith<T> = (error?: Error | null, value?: T) => void

/** The body on its way in; `receivedEncodedLength` counts bytes before decoding. */
export interface BodyStream extends Readable {
  receivedEncodedLength?: number
}

/** A hook that is given the request and the reply: asynchronous, or calling `done`. */
export type RequestHook<This, Request, Reply> = (
  this: This,
  request: Request,
  reply: Reply,
  done: Done,
) => unknown

/** A hook that may replace the payload. */
export type PayloadHook<This, Request, Reply, Payload> = (
  this: This,
  request: Request,
  reply: Reply,
  payload: Payload,
  done: DoneWith<Payload>,
) => unknown

/** The hook that may replace the stream of the body. */
export type ParsingHook<This, Request, Reply> = (
  this: This,
  request: Request,
  reply: Reply,
  payload: BodyStream,
  done: DoneWith<BodyStream>,
) => unknown

/** The hook that is told of errors. */
export type ErrorHook<This, Request, Reply> = (
  this: This,
  request: Request,
  reply: Reply,
  error: CaughtError,
  done: () => void,
) => unknown

/** The hook of requests that were given up by their client. */
export type AbortHook<This, Request> = (this: This, request: Request, done: Done) => unknown

/** Hooks of requests, in the order of their path; the last three stand beside it. */
export interface RequestHooks<This, Request, Reply> {
  /** Before anything is read. */
  onRequest: RequestHook<This, Request, Reply>
  /** Before the body is parsed; may replace its stream. */
  preParsing: ParsingHook<This, Request, Reply>
  /** Before validation. */
  preValidation: RequestHook<This, Request, Reply>
  /** Before the handler, after validation. */
  preHandler: RequestHook<This, Request, Reply>
  /** Before the payload is serialized; may replace it. */
  preSerialization: PayloadHook<This, Request, Reply, unknown>
  /** Before the answer is written; may replace it. */
  onSend: PayloadHook<This, Request, Reply, unknown>
  /** After the answer is out. */
  onResponse: RequestHook<This, Request, Reply>
  /** When an error is answered. */
  onError: ErrorHook<This, Request, Reply>
  /** When the connection timed out. */
  onTimeout: RequestHook<This, Request, Reply>
  /** When the client went away. */
  onRequestAbort: AbortHook<This, Request>
}

/** Hooks of the application's own life. */
export interface ApplicationHooks<C extends Context> {
  /** A route is defined; called at once. */
  onRoute: (this: Cloister<C>, options: RegisteredRoute) => void
  /** A context is made; called at once, before its plugin. */
  onRegister: (
    this: Cloister<C>,
    instance: Cloister<C>,
    options: RegisterOptions & { readonly [key: string]: unknown },
  ) => void
  /** All plugins are loaded. */
  onReady: (this: Cloister<C>, done: Done) => unknown
  /** The app listens. */
  onListen: (this: Cloister<C>, done: Done) => unknown
  /** The app is about to close. */
  preClose: (this: Cloister<C>, done: Done) => unknown
  /** The app closes; something disposable may stand for the function. */
  onClose: ((this: Cloister<C>, instance: Cloister<C>, done: Done) => unknown) | AsyncDisposable | Disposable
}

/** Every hook of a context, by name. */
export interface ContextHooks<C extends Context>
  extends RequestHooks<Cloister<C>, ContextRequest<C>, ContextReply<C>>, ApplicationHooks<C> {}

/** The names of the hooks of requests. */
export type RequestHookName = keyof RequestHooks<never, never, never>

/** The names of the hooks of the application. */
export type ApplicationHookName = keyof ApplicationHooks<never>

/** The name of a hook. */
export type HookName = RequestHookName | ApplicationHookName
