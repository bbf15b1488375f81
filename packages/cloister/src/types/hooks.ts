import type { Readable } from 'node:stream'

import type { Context } from './context.ts'
import type { CaughtError } from './errors.ts'
import type { Cloister } from './instance.ts'
import type { RegisterOptions } from './plugin.ts'
import type { ContextReply, ContextRequest } from './request-of.ts'
import type { RegisteredRoute } from './route.ts'

/** Ends a hook in callback style, optionally with an error. */
export type Done = (error?: Error | null) => void

/** Ends a hook in callback style, with an error or another value. */
export type DoneWith<T> = (error?: Error | null, value?: T) => void

/** The stream of a request body. */
export interface BodyStream extends Readable {
  /** The bytes received before decoding. They are compared with `Content-Length`. */
  receivedEncodedLength?: number
}

type Hook<This, Args extends readonly unknown[]> = (this: This, ...args: Args) => unknown

/** A hook that gets request and reply. It is asynchronous or calls `done`. */
export type RequestHook<This, Request, Reply> = Hook<This, [request: Request, reply: Reply, done: Done]>

/** A hook that gets the payload and can replace it: with the value it resolves to, or with `done(null, payload)`. */
export type PayloadHook<This, Request, Reply, Payload> = Hook<
  This,
  [request: Request, reply: Reply, payload: Payload, done: DoneWith<Payload>]
>

/** A hook that gets the stream of the body and can replace it. */
export type ParsingHook<This, Request, Reply> = PayloadHook<This, Request, Reply, BodyStream>

/** A hook that gets the error of a request. */
export type ErrorHook<This, Request, Reply> = Hook<
  This,
  [request: Request, reply: Reply, error: CaughtError, done: () => void]
>

/** A hook for requests whose client closed the connection. */
export type AbortHook<This, Request> = Hook<This, [request: Request, done: Done]>

/**
 * Hooks of requests, in the order in which they run. `onError`, `onTimeout` and `onRequestAbort` run when their event
 * occurs.
 */
export interface RequestHooks<This, Request, Reply> {
  /** Runs after the head of a request has arrived, before its body is read. */
  onRequest: RequestHook<This, Request, Reply>
  /**
   * Runs before the body is parsed, and can replace its stream. A new stream sets `receivedEncodedLength`, the bytes
   * received before decoding.
   */
  preParsing: ParsingHook<This, Request, Reply>
  /** Runs before validation, with the parsed body. */
  preValidation: RequestHook<This, Request, Reply>
  /** Runs after validation, before the handler. */
  preHandler: RequestHook<This, Request, Reply>
  /** Runs before the payload is serialized, and can replace it. Does not run for strings, bytes, streams and `null`. */
  preSerialization: PayloadHook<This, Request, Reply, unknown>
  /** Runs before the response is sent, and can replace the serialized payload. */
  onSend: PayloadHook<This, Request, Reply, unknown>
  /** Runs after the response was sent, so it can't change the response. */
  onResponse: RequestHook<This, Request, Reply>
  /** Runs before the response to an error, for logging. It can't send a response (`CLO_ERR_SEND_INSIDE_ONERR`). */
  onError: ErrorHook<This, Request, Reply>
  /**
   * Runs if the connection of a request was idle for `connectionTimeout`, unless the app has taken over the reply with
   * `hijack`. It can't send a response.
   */
  onTimeout: RequestHook<This, Request, Reply>
  /** Runs if the client closes the connection before the response is sent. It can't send a response. */
  onRequestAbort: AbortHook<This, Request>
}

/** Hooks of the application. */
export interface ApplicationHooks<C extends Context> {
  // A method, so that a hook may state what the config of the routes in its context has.
  /** Runs synchronously when a route is defined. It can add options such as hooks to the route. */
  onRoute(this: Cloister<C>, options: RegisteredRoute): void
  /** Runs synchronously when a context is created, before its plugin runs. */
  onRegister: (
    this: Cloister<C>,
    instance: Cloister<C>,
    options: RegisterOptions & { readonly [key: string]: unknown },
  ) => void
  /**
   * Runs once all plugins are loaded, before requests are served. `pluginTimeout` limits its time
   * (`CLO_ERR_HOOK_TIMEOUT`).
   */
  onReady: (this: Cloister<C>, done: Done) => unknown
  /** Runs once the app listens. Errors are logged. Does not run for `inject`. */
  onListen: (this: Cloister<C>, done: Done) => unknown
  /** Runs when `close` is called, while open requests are still handled. End long-lived connections here. */
  preClose: (this: Cloister<C>, done: Done) => unknown
  /**
   * Runs after the last request, from the last plugin to the first. Release resources here. A disposable object can be
   * passed instead of a function.
   */
  onClose: ((this: Cloister<C>, instance: Cloister<C>, done: Done) => unknown) | AsyncDisposable | Disposable
}

/** The hooks of a context by name. */
export interface ContextHooks<C extends Context>
  extends RequestHooks<Cloister<C>, ContextRequest<C>, ContextReply<C>>, ApplicationHooks<C> {}

/** The names of request hooks. */
export type RequestHookName = keyof RequestHooks<never, never, never>

/** The names of application hooks. */
export type ApplicationHookName = keyof ApplicationHooks<never>

/** The name of a hook of requests or of the application. */
export type HookName = RequestHookName | ApplicationHookName
