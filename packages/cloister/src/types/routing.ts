import type { IncomingMessage, ServerResponse } from 'node:http'

import type { ConstraintStrategy, RouteConstraints } from './route-options.ts'
import type { RouteShorthandMethod } from './fastify/interfaces.ts'
import type { ShorthandWithoutBody } from './shorthand-without-body.ts'
import type { CommonMethod, HttpMethod, RareMethod, RawReplyOf, RawRequestOf } from './raw.ts'
import type { AppDescription, MissingRoute, RouteExplanation } from './description.generated.ts'
import type { StrictReport } from './report.ts'

/** Handles a request that matches no route, with Node's request and response. */
export type DefaultRoute = (request: RawRequestOf, reply: RawReplyOf) => void

/** Identifies a route: method, URL, constraints. */
export interface RouteQuery {
  /** The path with its prefix, such as `/users/:id`. */
  url: string
  /** The method of the route. */
  method: HttpMethod
  /**
   * The values of its constraints, such as `{ version: '1.2.0' }`.
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

/** The methods with a shortcut in Fastify. `get`, `post` and so on define a route of their method. */
export type MethodShortcuts = {
  readonly [Name in Lowercase<CommonMethod | 'TRACE' | 'QUERY'>]: Name extends 'get' | 'head'
    ? ShorthandWithoutBody
    : RouteShorthandMethod
}

/** The other methods with a shortcut. */
export type OwnShortcuts = {
  readonly [Name in Lowercase<Exclude<RareMethod, 'TRACE' | 'QUERY'>>]: RouteShorthandMethod
} & ReportMember

/** The method that reads what `strict` would refuse. With arguments, it defines a route of the method REPORT. */
export interface ReportMember {
  /**
   * Returns what `strict: true` would have refused so far, in an app with `strict: 'report'`: for each route the number
   * of requests and responses by reason. Other apps return `null`. Printed, it has a line for each route and reason.
   *
   * @example
   * ```ts
   * import { cloister } from 'cloister'
   *
   * const app = cloister({ strict: 'report' })
   * app.get('/users/:id', () => 'ok')
   * await app.inject('/users/7')
   * console.log(String(app.report())) // GET /users/:id (…): safe to switch, 1 request so far
   * ```
   */
  readonly report: () => StrictReport | null
}

/** The members of an instance for routes, methods and constraints. */
export interface RoutingMembers extends MethodShortcuts {
  /** The HTTP methods that routes can have. `addHttpMethod` adds others. */
  readonly supportedMethods: string[]
  /** Defines a route of every supported method. */
  readonly all: ShorthandWithoutBody
  /** Returns whether a route with this method, URL and constraints is defined. */
  hasRoute(route: RouteQuery): boolean
  /** Returns the route with this method, URL and constraints, as the router stores it; `null` if there is none. */
  findRoute(route: RouteQuery): FoundRoute | null
  /** Returns the function set by `setDefaultRoute` or the option `defaultRoute`. */
  getDefaultRoute(): DefaultRoute | undefined
  /**
   * Sets a function that handles requests without a route, with Node's request and response, before hooks. Prefer
   * `setNotFoundHandler`.
   *
   * @throws `CLO_ERR_DEFAULT_ROUTE_INVALID_TYPE`
   */
  setDefaultRoute(route: DefaultRoute): void
  /**
   * Adds an HTTP method that routes can have. With `hasBody`, its requests can have a body.
   *
   * @throws `CLO_ERR_ROUTE_METHOD_INVALID` if Node's HTTP parser does not accept the method
   */
  addHttpMethod<T>(this: T, method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): T
  /** Adds a constraint strategy, which selects between routes with the same path. */
  addConstraintStrategy(strategy: ConstraintStrategy<unknown, unknown>): void
  /** Returns whether a constraint strategy with this name exists. */
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
   * Prints the metadata of routes: `true` for all of it, or a list of keys.
   *
   * @default false
   */
  includeMeta?: boolean | (string | symbol)[]
  /**
   * Groups routes by the common prefix of their paths; `false` prints each path in full.
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

/** The methods of an instance that show its routes and plugins. */
export interface InspectionMembers {
  /** Returns the routes as a text tree. */
  printRoutes(options?: PrintRoutesOptions): string
  /** Returns the plugins as a text tree, with their load times in milliseconds. */
  printPlugins(): string
}

/** The members of an instance for routes that only Cloister has. */
export interface OwnRoutingMembers extends OwnShortcuts {
  /**
   * Forwards all requests below a prefix to a fetch handler, a Node listener, or an Express app, with the body unread.
   * The hooks of this context run first. `onSend` and `onResponse` run after a fetch handler, only `onResponse` after a
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
  /**
   * Returns the contexts and plugins of the app as frozen JSON: what each of them adds, where, and how long it took to
   * load. Before `ready` it describes what is loaded so far.
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
   * Returns the hooks, handler, schemas and limits for requests of one route, with the place of each definition, as
   * frozen JSON. For a URL without a route, it returns the most similar routes with the reasons why they don't match.
   *
   * @param method - the method, such as `'GET'`
   * @param url - the path of a request (`/users/7`) or of a route (`/users/:id`)
   * @param constraints - the constraint values of the request, such as `{ version: '1.2.0' }`
   * @throws `CLO_ERR_EXPLAIN_NOT_READY` before `ready`
   * @throws `CLO_ERR_EXPLAIN_INVALID` if the method or the URL is not a string
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

/** Options of `mount`. */
export interface MountOptions {
  /**
   * Removes the prefix from the URL, for handlers whose own routes don't contain it. Listeners find the whole URL in
   * `originalUrl`.
   *
   * @default false
   */
  stripPrefix?: boolean
  /**
   * The kind of the handler: `fetch` takes a `Request` and returns a `Response`; `node` takes Node's request and
   * response.
   *
   * @default `node` for a function with two or more parameters and without a member `fetch`, otherwise `fetch`
   */
  kind?: 'fetch' | 'node'
}

/** A handler with the Fetch API. */
export type FetchHandler = (request: Request) => Response | PromiseLike<Response>

/** A request listener of Node, or an Express or Connect app. */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown

/** The type of `mount`, which forwards requests to other handlers. */
export interface MountMethod {
  <T>(
    this: T,
    prefix: string,
    handler: FetchHandler | { readonly fetch: FetchHandler },
    options?: MountOptions,
  ): T
  <T>(this: T, prefix: string, listener: NodeListener, options?: MountOptions): T
}
