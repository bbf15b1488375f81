import { twiceRegistered } from '../call-site.ts'
import { atOnce, CloisterError, createError } from '../errors.ts'
import { messageOf, wrapThrown } from '../read-error.ts'
import {
  inherit,
  isFunction,
  isRecord,
  isThenable,
  recordOf,
  whenSettled,
  type AnyFunction,
  type Dictionary,
} from '../guards.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import { CallbackResult, type Found, type RouteFinder } from '../request/services.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { nodeOf, rawRequestOrView, viewRequest } from '../exchange/node-access.ts'
import { Match } from '../router/find.ts'
import type { PrintOptions } from '../router/print.ts'
import { RouteTaken, Router, TargetProblem } from '../router/router.ts'
import { routeLabel, type RouteRecord } from './route-record.ts'
import { callsBack } from '../router/constraints.ts'

export type Constraints = Dictionary

/** The routes of an app. It finds routes for requests, and reports invalid definitions. */
export class RouteTable implements RouteFinder {
  readonly #router: Router<RouteRecord>
  readonly #records: RouteRecord[] = []
  readonly #options: AppOptions
  readonly #describe: (record: RouteRecord) => object
  readonly #failedLate: FailedLate
  #hasConstraints = false
  #hasOwnStrategy = false
  /** a constraint in use calls back, so `deriveAsync` must run before `find` */
  hasAsyncConstraints = false

  /**
   * @param describe - returns the metadata to print for a route
   * @param failedLate - logs the error of a constraint strategy that fails after calling back
   */
  constructor(options: AppOptions, describe: (record: RouteRecord) => object, failedLate: FailedLate) {
    this.#options = options
    this.#describe = describe
    this.#failedLate = failedLate
    this.#router = new Router(options)
    for (const strategy of Object.values(options.constraints ?? {})) this.addConstraintStrategy(strategy)
  }

  get records(): readonly RouteRecord[] {
    return this.#records
  }

  /**
   * @throws `CLO_ERR_DUPLICATED_ROUTE` with both call sites, `CLO_ERR_VERSION_CONSTRAINT_NOT_STR`,
   * `CLO_ERR_ROUTE_PATH_INVALID`
   */
  add(record: RouteRecord, constraints: Constraints): void {
    // A HEAD route of the application replaces an automatic one. The router rejects all other duplicates.
    const existing = record.method === 'HEAD' ? this.lookup('HEAD', record.url, constraints) : null
    if (existing?.automatic === true) {
      this.#router.remove(existing.method, existing.url, constraints)
      this.#records.splice(this.#records.indexOf(existing), 1)
    }
    try {
      this.#router.add(record.method, record.url, { ...constraints }, record)
    } catch (cause) {
      throw this.#explain(cause, record)
    }
    this.#hasConstraints ||= Object.keys(constraints).length > 0
    this.hasAsyncConstraints = this.#router.constraints.derivesLater
    this.#records.push(record)
  }

  #explain(cause: unknown, record: RouteRecord): Error {
    const { method, url, callSite } = record
    const twin = cause instanceof RouteTaken ? this.#records.find((one) => one === cause.stored) : undefined
    if (twin !== undefined) {
      const hint = twiceRegistered(twin.callSite, callSite)
      return createError('DUPLICATED_ROUTE', { method, url, first: twin.callSite, callSite, hint })
    }
    if (cause instanceof CloisterError) return cause
    const details = { path: url, route: routeLabel(record), reason: messageOf(cause) }
    return createError('ROUTE_PATH_INVALID', details, { cause })
  }

  /** Returns the route that was defined with exactly this method, path and constraints. */
  lookup(method: string, url: string, constraints: Constraints): RouteRecord | null {
    return this.#router.defined(method, url, constraints)?.stored ?? null
  }

  /** Returns the route that matches a path with given constraints, its parameters and its raw query. */
  match(method: string, url: string, constraints: Constraints): Match<RouteRecord> | null {
    const derived = Object.keys(constraints).length === 0 ? undefined : { ...constraints }
    const match = this.#router.find(method, url, derived)
    return match instanceof TargetProblem ? null : match
  }

  /** Returns the route for a request. Without derived constraints, it derives them synchronously. */
  find(exchange: Exchange, derived?: Constraints): Found {
    const values = derived === undefined && this.#hasConstraints ? this.#derive(exchange) : derived
    const match = this.#router.find(exchange.method, exchange.target, values)
    if (match === null) return null
    return match instanceof TargetProblem ? this.#respondToProblem(match, exchange) : match
  }

  #derive(exchange: Exchange): Record<string, unknown> | undefined {
    return this.#router.constraints.derive(this.#constraintInput(exchange))
  }

  /**
   * Returns the methods that have a route for the target of a request. Constraints that call back are ignored.
   *
   * @returns in the order of their first definition; empty if no method has one
   */
  methodsFor(exchange: Exchange): string[] {
    const methods = new Set(this.#records.map(({ method }) => method))
    return [...methods].filter((method) => this.findFor(method, exchange) !== null)
  }

  /** Returns the route that the target of a request has for a method. Constraints that call back are ignored. */
  findFor(method: string, exchange: Exchange): Match<RouteRecord> | null {
    const derives = this.#hasConstraints && !this.hasAsyncConstraints
    const values = derives ? this.#derive(exchange) : undefined
    const match = this.#router.find(method, exchange.target, values)
    return match instanceof Match ? match : null
  }

  /** Derives the constraints of a request, for apps with strategies that call back. */
  deriveAsync(exchange: Exchange, callback: (error: Error | null, constraints?: Constraints) => void): void {
    this.#router.constraints.deriveLater(this.#constraintInput(exchange), callback)
  }

  /** Strategies of the application get the raw request; for the built-in ones a view is sufficient. */
  #constraintInput(exchange: Exchange): object {
    return this.#hasOwnStrategy ? rawRequestOrView(exchange) : viewRequest(exchange)
  }

  /** The options `onBadUrl` and `onMaxParamLength` of the application may respond instead of the framework. */
  #respondToProblem({ path, isTooLong }: TargetProblem, exchange: Exchange): Found {
    const { onBadUrl, onMaxParamLength } = this.#options
    const respond = isTooLong ? onMaxParamLength : onBadUrl
    if (respond === null) return isTooLong ? null : createError('BAD_URL', { path })
    const { request, response } = nodeOf(exchange, isTooLong ? 'onMaxParamLength' : 'onBadUrl')
    return new CallbackResult(respond(path, request, response))
  }

  hasConstraintStrategy(name: string): boolean {
    return this.#router.constraints.has(name)
  }

  addConstraintStrategy(strategy: unknown): void {
    this.#router.constraints.add(guardStrategy(strategy, this.#failedLate))
    this.#hasConstraints = true
    this.#hasOwnStrategy = true
    this.hasAsyncConstraints = this.#router.constraints.derivesLater
  }

  print(options: PrintOptions): string {
    const { buildPrettyMeta } = this.#options
    return this.#router.print(options, ({ method, path, names, constraints, stored: record }) => {
      if (buildPrettyMeta === null) return this.#describe(record)
      const meta = buildPrettyMeta({ method, path, params: names, opts: { constraints }, store: { record } })
      return recordOf(meta)
    })
  }
}

/** The arguments of `app.hasRoute`, `app.findRoute` and `app.explain`. */
export interface RouteQuery {
  readonly method: string
  readonly url: string
  readonly constraints: Dictionary
}

/**
 * Returns whether a route is defined with exactly this path, or matches this path. A wildcard route matches every path
 * without its own route, so it counts only for its own path.
 */
export function hasRoute(routes: RouteTable, options: unknown): boolean {
  const { method, url, constraints } = readQuery(options)
  if (routes.lookup(method, url, constraints) !== null) return true
  const match = routes.match(method, url, constraints)
  return match !== null && !match.stored.url.endsWith('*')
}

/** Returns the route that matches a path or is defined with it. */
export function findRoute(routes: RouteTable, options: unknown): Match<RouteRecord> | null {
  const { method, url, constraints } = readQuery(options)
  const match = routes.match(method, url, constraints)
  if (match !== null) return match
  const stored = routes.lookup(method, url, constraints)
  return stored === null ? null : { stored, params: {}, query: '' }
}

function readQuery(options: unknown): RouteQuery {
  const { method = '', url = '', constraints } = recordOf(options)
  return {
    method: String(method).toUpperCase(),
    url: String(url),
    constraints: recordOf(constraints),
  }
}

/** Receives the error of a constraint strategy that fails after calling back. */
type FailedLate = (name: string, thrown: unknown) => void

/**
 * Guards the `deriveConstraint` of an application's strategy. A strategy without a callback must not return a promise.
 * If a strategy with a callback returns a promise that rejects, the request fails instead of waiting forever.
 */
function guardStrategy(strategy: unknown, failedLate: FailedLate): unknown {
  // The router reports what is missing.
  if (!isRecord(strategy)) return strategy
  const { name, deriveConstraint: derive } = strategy
  if (!isFunction(derive)) return strategy
  const call = (...args: unknown[]): unknown => Reflect.apply(derive, strategy, args)
  const value = callsBack(strategy)
    ? withCallback(call, (thrown) => failedLate(String(name), thrown))
    : (...args: unknown[]) => atOnce(call(...args), `deriveConstraint of '${String(name)}'`)
  return inherit(strategy, { deriveConstraint: { value, enumerable: true } })
}

function withCallback(derive: AnyFunction, failedLate: (thrown: unknown) => void): AnyFunction {
  return (request: unknown, context: unknown, done: unknown) => {
    let isSettled = false
    const settle = (error: unknown, value?: unknown): void => {
      if (isSettled || !isFunction(done)) {
        if (error != null) failedLate(error)
        return
      }
      isSettled = true
      done(error == null ? null : wrapThrown(error), value)
    }
    const fail = (thrown: unknown): void => settle(wrapThrown(thrown))
    let result: unknown
    try {
      result = derive(request, context, settle)
    } catch (thrown) {
      fail(thrown)
    }
    if (isThenable(result)) whenSettled(result, () => {}, fail)
  }
}
