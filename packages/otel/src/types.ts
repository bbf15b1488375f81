import type { StartedRequest } from 'cloister/inspect'

/**
 * What the `traceparent` of a request does: `continue` makes the span a part of the caller's trace, `link` starts a new
 * trace that links to the caller's, `ignore` starts a new trace.
 */
export type ParentRule = 'continue' | 'link' | 'ignore'

/** A route, as the functions of the options get it. */
export interface TracedRoute {
  /** The method of the route; of no meaning where `url` is `null`. */
  readonly method: string
  /** The path of the route: `/users/:id`; `null` for requests that reach no route. */
  readonly url: string | null
  /** The options of its definition. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Options of the plugin. */
export interface OtelOptions {
  /**
   * What the `traceparent` of a request does. A function decides for each request.
   *
   * With `continue`, a client chooses the trace id and whether its request is sampled, so use it only if a proxy or
   * the callers are trusted.
   *
   * @default 'continue' if the app has `trustProxy`, otherwise 'link'
   */
  readonly parent?: ParentRule | ((request: StartedRequest) => ParentRule)
  /**
   * Whether the span is active in hooks and handlers, so that spans of libraries become its children. Needs a context
   * manager.
   *
   * @default true
   */
  readonly context?: boolean
  /** Returns whether the requests of a route get no telemetry. Called once per route, at boot. */
  readonly ignore?: (route: TracedRoute) => boolean
  /**
   * Whether the histogram `http.server.request.duration` is recorded.
   *
   * @default true
   */
  readonly metrics?: boolean
  /**
   * Whether log lines of a request have its `trace_id` and `span_id`.
   *
   * @default true
   */
  readonly logs?: boolean
  /**
   * Whether each hook gets a span with the plugin, file and line that added it.
   *
   * @default false
   */
  readonly hooks?: boolean
  /**
   * Returns the span name of a route. Called once per route, at boot.
   *
   * @default the method and the path of the route
   */
  readonly name?: (route: TracedRoute) => string
}

declare module 'cloister' {
  /** The option of this package. */
  interface RouteShorthandOptions {
    /** `false` disables telemetry for the route, also the spans of its hooks. */
    readonly otel?: boolean
  }
}
