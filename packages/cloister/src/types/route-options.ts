import type { HttpMethod, RawRequestOf, RawServer } from './raw.ts'
import type { FastifyContextConfig, FastifySchema } from './fastify/interfaces.ts'

/** The keys that the framework adds to the `config` of a route. */
export interface RouteConfig {
  /** Path of the route. */
  url: string
  /** Method of the route. */
  method: HttpMethod | HttpMethod[]
}

/** The constraints of a route: conditions beside method and path. */
export interface RouteConstraints {
  /** The version in the `Accept-Version` header, as in `1.2.0`. */
  version?: string
  /** The host in the `Host` header, as text or regular expression. */
  host?: string | RegExp
  /** The values of your own constraint strategies. */
  [name: string]: unknown
}

/** The options of a route with defaults, as requests have them; frozen. */
export interface ResolvedRouteOptions<Config = unknown> {
  /** Method or methods. */
  readonly method: HttpMethod | HttpMethod[]
  /** The path with its prefix; `undefined` if no route matches. */
  readonly url: string | undefined
  /** The largest body, in bytes. */
  readonly bodyLimit: number
  /** The time until the head of the response must be sent, in milliseconds; 0 for no limit. */
  readonly handlerTimeout: number
  /** Whether the handler runs for invalid requests. */
  readonly attachValidation: boolean
  /** The lowest level that is logged. */
  readonly logLevel: string
  /** Whether the route has a HEAD route beside it. */
  readonly exposeHeadRoute: boolean
  /** How `/` under a prefix was registered. */
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
 * Selects one of several routes with the same path by a property of the request.
 *
 * @typeParam T - the values that routes state for this constraint
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
  /** The key of the constraint in the `constraints` of a route. */
  name: string
  /** Whether a request with a value of this constraint only matches routes that have the constraint. */
  mustMatchWhenDerived?: boolean
  /** Returns a store: it stores by the values of routes and looks up by the value of a request. */
  storage(): {
    get(value: T): unknown
    set(value: T, handler: unknown): void
  }
  /** Throws an error if a route's value of this constraint is not valid. */
  validate?(value: unknown): void
  /** Returns the value of a request; a function with three parameters calls `done` with it later. */
  deriveConstraint(
    request: RawRequestOf<RawServer>,
    context?: unknown,
    done?: (error: Error | null, value?: T) => void,
  ): T | void
}
