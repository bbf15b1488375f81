import type { IncomingMessage, ServerResponse } from 'node:http'

import type { ConstraintStrategy, RouteConstraints } from './route-options.ts'
import type { RouteShorthandMethod } from './fastify/interfaces.ts'
import type { CommonMethod, HttpMethod, RareMethod, RawReplyOf, RawRequestOf } from './raw.ts'
import type { SocketRouteMethod } from './sockets.ts'
import type { AppDescription, MissingRoute, RouteExplanation } from './description.generated.ts'

/** Handles a request that matches no route, with the request and response of Node. */
export type DefaultRoute = (request: RawRequestOf, reply: RawReplyOf) => void

/** Identifies a route: method, URL, constraints. */
export interface RouteQuery {
  /** The path with its prefix, as in `/users/:id`. */
  url: string
  /** The method of the route. */
  method: HttpMethod
  /**
   * The values of its constraints, as in `{ version: '1.2.0' }`.
   *
   * @default {}
   */
  constraints?: RouteConstraints
}

/** A route that `findRoute` returns. */
export interface FoundRoute {
  /** The handler of the route. */
  handler: (...args: never[]) => unknown
  /** The parameters of its path, by name. */
  params: { [name: string]: string | undefined }
  /** The parameters of the query string, by name. */
  searchParams: { [name: string]: string }
}

/** The methods with a shortcut: `get`, `post` and so on define a route of their method. */
export type MethodShortcuts = {
  readonly [Name in Lowercase<CommonMethod | RareMethod>]: RouteShorthandMethod
}

/** The members of an instance about routes, methods and constraints. */
export interface RoutingMembers extends MethodShortcuts {
  /** The HTTP methods that routes can have. `addHttpMethod` adds others. */
  readonly supportedMethods: string[]
  /** Defines a route of every supported method. */
  readonly all: RouteShorthandMethod
  /**
   * Defines a WebSocket route. The handshake is a GET request: the hooks and the validation of the route run, and may
   * refuse it with an ordinary response. Then the handler gets the socket.
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const
   * const app = cloister()
   * app.ws('/echo', { schema: { incoming: text, outgoing: text } }, async (socket) => {
   *   for await (const { text } of socket) await socket.send({ text: `you said ${text}` })
   * })
   * ```
   */
  readonly ws: SocketRouteMethod
  /**
   * Hands all requests below a prefix to a fetch handler, a listener of Node, or an Express app, with the body unread. The
   * hooks of this context run before; those of `onSend` and `onResponse` behind a fetch handler, `onResponse` behind a
   * listener.
   *
   * @throws `CLO_ERR_MOUNT_INVALID`, `CLO_ERR_DUPLICATED_ROUTE`
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister()
   * app.mount('/api/auth', (request) => new Response(new URL(request.url).pathname))
   * ```
   */
  readonly mount: MountMethod
  /** Whether a route with this method, URL and constraints is defined. */
  hasRoute(route: RouteQuery): boolean
  /**
   * Returns the route with this method, URL and constraints, as the router stores it; `null` if there is
   * none.
   */
  findRoute(route: RouteQuery): FoundRoute | null
  /** Returns the function set by `setDefaultRoute` or the option `defaultRoute`. */
  getDefaultRoute(): DefaultRoute | undefined
  /**
   * Sets a function that handles requests without a route, with the request and response of Node, before
   * hooks. Prefer `setNotFoundHandler`.
   *
   * @throws `CLO_ERR_DEFAULT_ROUTE_INVALID_TYPE`
   */
  setDefaultRoute(route: DefaultRoute): void
  /**
   * Adds an HTTP method that routes can have. With `hasBody`, its requests can have a body.
   *
   * @throws `CLO_ERR_ROUTE_METHOD_INVALID` if the HTTP parser of Node does not accept the method
   */
  addHttpMethod<T>(this: T, method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): T
  /** Adds a constraint strategy, which chooses between routes with the same path. */
  addConstraintStrategy(strategy: ConstraintStrategy<unknown, unknown>): void
  /** Whether there is a constraint strategy of this name. */
  hasConstraintStrategy(name: string): boolean
}

/** Options of `printRoutes`. */
export interface PrintRoutesOptions {
  /**
   * Prints only the routes of one method.
   *
   * @default all methods
   */
  method?: HttpMethod
  /**
   * Prints the data of routes: `true` for everything, or a list of keys.
   *
   * @default false
   */
  includeMeta?: boolean | (string | symbol)[]
  /**
   * Groups routes by the prefix that their paths share; `false` prints each path in full.
   *
   * @default true
   */
  commonPrefix?: boolean
  /**
   * Prints the hooks of each route.
   *
   * @default false
   */
  includeHooks?: boolean
}

/** The members of an instance that show its routes and plugins. */
export interface InspectionMembers {
  /** Returns the routes as a tree, in text. */
  printRoutes(options?: PrintRoutesOptions): string
  /** Returns the plugins as a tree, in text, with the time that each took to load, in milliseconds. */
  printPlugins(): string
  /**
   * Returns the contexts and plugins of the app, with what each adds, where, and how long it took to load: frozen JSON.
   * Before `ready` it has what is loaded so far.
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister()
   * await app.ready()
   * console.log(app.explain().contexts.tookMs)
   * ```
   */
  explain(): AppDescription
  /**
   * Returns what requests of one route run and use, and where each part was defined: frozen JSON. For a URL without a
   * route, the nearest routes and why each does not match.
   *
   * @param method - the method, as in `'GET'`
   * @param url - a path of a request (`/users/7`) or of a route (`/users/:id`)
   * @param constraints - the values of constraints that the request would have, as in `{ version: '1.2.0' }`
   * @throws `CLO_ERR_EXPLAIN_NOT_READY` before `ready`
   * @throws `CLO_ERR_EXPLAIN_INVALID` when the method or the URL is no string
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister()
   * app.get('/users/:id', () => 'ok')
   * await app.ready()
   * const found = app.explain('GET', '/users/7')
   * if (found.kind === 'route') console.log(found.url, found.callSite)
   * ```
   */
  explain(method: string, url: string, constraints?: RouteConstraints): RouteExplanation | MissingRoute
}

/** How requests are handed on. */
export interface MountOptions {
  /**
   * Takes the prefix off the URL, for handlers whose own routes begin behind it. Listeners find the whole in
   * `originalUrl`.
   *
   * @default false
   */
  stripPrefix?: boolean
  /**
   * The kind of the handler: `fetch` takes a `Request` and returns a `Response`, `node` takes request and response of Node.
   *
   * @default `node` for a function of two parameters or more that has no member `fetch`
   */
  kind?: 'fetch' | 'node'
}

/** A handler in the style of the web platform. */
export type FetchHandler = (request: Request) => Response | PromiseLike<Response>

/** A listener of Node's server, or an app of Express or Connect. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown

/** `mount`: hands requests to handlers that others wrote. */
export interface MountMethod {
  <T>(
    this: T,
    prefix: string,
    handler: FetchHandler | { readonly fetch: FetchHandler },
    options?: MountOptions,
  ): T
  <T>(this: T, prefix: string, listener: NodeListener, options?: MountOptions): T
}
