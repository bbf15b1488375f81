import type { ConstraintStrategy } from '../constraint-strategy.ts'
import type { RouteShorthandMethod } from '../peer.ts'
import type { HttpMethod, RawReplyOf, RawRequestOf } from '../raw.ts'
import type { RouteConstraints } from '../route-options.ts'

/** Answers a request that matches no route, with the request and response of Node. */
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

/** The members of an instance about routes, methods and constraints. */
export interface RoutingMembers {
  /** The HTTP methods that routes can have. `addHttpMethod` adds others. */
  readonly supportedMethods: string[]
  /** Defines a GET route. */
  readonly get: RouteShorthandMethod
  /** Defines a HEAD route. */
  readonly head: RouteShorthandMethod
  /** Defines a POST route. */
  readonly post: RouteShorthandMethod
  /** Defines a PUT route. */
  readonly put: RouteShorthandMethod
  /** Defines a DELETE route. */
  readonly delete: RouteShorthandMethod
  /** Defines an OPTIONS route. */
  readonly options: RouteShorthandMethod
  /** Defines a PATCH route. */
  readonly patch: RouteShorthandMethod
  /** Defines a TRACE route. */
  readonly trace: RouteShorthandMethod
  /** Defines a QUERY route. */
  readonly query: RouteShorthandMethod
  /** Defines a PROPFIND route. */
  readonly propfind: RouteShorthandMethod
  /** Defines a PROPPATCH route. */
  readonly proppatch: RouteShorthandMethod
  /** Defines a MKCALENDAR route. */
  readonly mkcalendar: RouteShorthandMethod
  /** Defines a MKCOL route. */
  readonly mkcol: RouteShorthandMethod
  /** Defines a COPY route. */
  readonly copy: RouteShorthandMethod
  /** Defines a MOVE route. */
  readonly move: RouteShorthandMethod
  /** Defines a LOCK route. */
  readonly lock: RouteShorthandMethod
  /** Defines an UNLOCK route. */
  readonly unlock: RouteShorthandMethod
  /** Defines a SEARCH route. */
  readonly search: RouteShorthandMethod
  /** Defines a REPORT route. */
  readonly report: RouteShorthandMethod
  /** Defines a route of every supported method. */
  readonly all: RouteShorthandMethod
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
