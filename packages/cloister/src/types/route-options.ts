import type { HttpMethod, RawRequestOf, RawServer } from './raw.ts'
import type { FastifyContextConfig, FastifySchema } from './fastify/interfaces.ts'

/** The properties that the framework adds to the `config` of a route. */
export interface RouteConfig {
  /** The path of the route. */
  url: string
  /** The method or methods of the route. */
  method: HttpMethod | HttpMethod[]
}

/** The constraints of a route: conditions in addition to method and path. */
export interface RouteConstraints {
  /** The version in the `Accept-Version` header, such as `1.2.0`. */
  version?: string
  /** The host in the `Host` header, as a string or regular expression. */
  host?: string | RegExp
  /** The values of your own constraint strategies. */
  [name: string]: unknown
}

/** The options of a route with defaults, as requests show them, frozen. */
export interface ResolvedRouteOptions<Config = unknown> {
  /** The method or methods. */
  readonly method: HttpMethod | HttpMethod[]
  /** The path with its prefix; `undefined` if no route matches. */
  readonly url: string | undefined
  /** The maximum size of the body, in bytes. */
  readonly bodyLimit: number
  /** The time limit for sending the head of the response, in milliseconds; 0 means no limit. */
  readonly handlerTimeout: number
  /** Whether the handler runs for invalid requests. */
  readonly attachValidation: boolean
  /** The lowest level that is logged. */
  readonly logLevel: string
  /** Whether the route also has a HEAD route. */
  readonly exposeHeadRoute: boolean
  /** How the path `/` below a prefix was registered. */
  readonly prefixTrailingSlash: string
  /** The `config` of the route, with its URL and method. */
  readonly config: FastifyContextConfig & RouteConfig & Config
  /** The schema; `undefined` if no route matches or the route has none. */
  readonly schema?: FastifySchema | undefined
  /** The handler. */
  readonly handler: (...args: never[]) => unknown
  /** The constraint `version`. */
  readonly version?: string | undefined
}

/**
 * Selects between routes with the same path by a property of the request.
 *
 * @typeParam T - the values of routes for this constraint
 * @example
 * ```ts
 * import { cloister } from 'cloister'
 *
 * const app = cloister({
 *   constraints: {
 *     audience: {
 *       name: 'audience',
 *       storage() {
 *         const stored = new Map<unknown, unknown>()
 *         return { get: (value) => stored.get(value) ?? null, set: (value, handler) => void stored.set(value, handler) }
 *       },
 *       deriveConstraint: (request) => request.headers['x-audience'],
 *     },
 *   },
 * })
 * app.get('/', { constraints: { audience: 'partners' } }, () => 'hello, partner')
 * ```
 */
export interface ConstraintStrategy<_Version = unknown, T = string> {
  /** The key in the `constraints` of a route. */
  name: string
  /** Whether a request with a value of this constraint matches only routes that have the constraint. */
  mustMatchWhenDerived?: boolean
  /** Returns a store that saves handlers by the values of routes, and finds them by the value of a request. */
  storage(): {
    get(value: T): unknown
    set(value: T, handler: unknown): void
  }
  /** Throws an error if the value of a route is invalid. */
  validate?(value: unknown): void
  /** Returns the value of a request. A function with three parameters calls `done` with it later. */
  deriveConstraint(
    request: RawRequestOf<RawServer>,
    context?: unknown,
    done?: (error: Error | null, value?: T) => void,
  ): T | void
}
