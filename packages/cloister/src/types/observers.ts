/** A route, as `observeRequests` shows it. */
export interface ObservedRoute {
  /** The method of the route; of no meaning where `url` is `null`. */
  readonly method: string
  /** The path of the route with its prefix: `/users/:id`; `null` for requests that reach no route. */
  readonly url: string | null
  /** The options of its definition, also those that plugins read. */
  readonly options: Readonly<Record<string, unknown>>
}

/** The headers that `presetHeaders` decides for a route, by name. */
export interface HeaderChoice {
  /** The headers of every response. */
  readonly fields: Readonly<Record<string, string>>
  /** Further headers, for requests that have a field with one of some values. Name the field in `Vary`. */
  readonly by?: {
    /** The name of the field: `origin`. */
    readonly field: string
    /** The further headers, by the value of the field. */
    readonly values: ReadonlyMap<string, Readonly<Record<string, string>>>
  }
}

/** A request, as its observer sees it. */
export interface ObservedRequest {
  /** The value of `request.id`. */
  readonly id: string
  /** The HTTP method. */
  readonly method: string
  /** The path and query. */
  readonly url: string
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A request at its start, with what proxies say of it if `trustProxy` trusts them. */
export interface StartedRequest extends ObservedRequest {
  /** The address of the client; `undefined` where the platform tells none. */
  readonly ip: string | undefined
  /** The host with its port, as the client has asked for it. */
  readonly host: string
  /** Whether the client uses TLS. */
  readonly protocol: 'http' | 'https'
}

/** The reply, as the observer of its request sees it. */
export interface ObservedReply {
  /** The status of the response, or the one that it will have. */
  readonly statusCode: number
  /** Milliseconds since the request arrived, up to the end of the response. */
  readonly elapsedTime: number
}

/** A hook and where it was added. */
export interface ObservedHook {
  /** The name of the hook: `onRequest`. */
  readonly name: string
  /** The name of the function; empty for an anonymous one. */
  readonly function: string
  /** The plugin that added it: `root > auth`. */
  readonly plugin: string
  /** `file:line` of the call that added it. */
  readonly callSite: string
}

/** The last argument of a hook that calls back. */
export type HookDone = (error?: unknown, value?: unknown) => void

/** Watches one request. Its errors are logged and don't affect the request, except those of `within` and `hook`. */
export interface RequestObserver {
  /** Fields for every log line of the request; `null` for none. */
  readonly logFields: Readonly<Record<string, unknown>> | null
  /**
   * Calls a function that runs a part of the request: its whole path, or hooks beside it such as `onResponse`. It must
   * call it once, before it returns.
   */
  within(run: () => void): void
  /**
   * An error goes to the error handlers, or ends the content of a response that has begun.
   *
   * @param inContent - the response has begun, and its content is incomplete
   */
  failed(error: unknown, inContent: boolean): void
  /**
   * The exchange is over: the response is complete, its stream or the connection failed, the client has left
   * (`ERR_STREAM_PREMATURE_CLOSE`), or a WebSocket is closed. Called once.
   *
   * @param error - what ended it; `null` after a complete response
   * @param status - the status of the response; `null` if none has begun. 101 for a WebSocket
   */
  ended(error: Error | null, status: number | null): void
  /**
   * Calls a hook, only with the option `hooks`. Its result or error must be passed on.
   *
   * @param call - calls the hook; gets the `done` for it, if it takes one
   * @param done - continues the request; `null` if the hook does not call back
   */
  hook(hook: ObservedHook, call: (done: HookDone | null) => unknown, done: HookDone | null): unknown
}

/** The message of a request, as its client sent it. */
export interface StartedMessage {
  /** The version of HTTP: `1.1`. */
  readonly httpVersion: string
  /** Returns a header by its name in lower case; several lines are joined by commas. Costs less than all `headers`. */
  header(name: string): string | undefined
}

/** Starts to watch a request, before its first hook. */
export type StartObserver = (
  request: StartedRequest,
  reply: ObservedReply,
  message: StartedMessage,
) => RequestObserver
