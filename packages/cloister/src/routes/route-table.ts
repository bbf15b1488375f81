import { createError, wrapThrown, messageOf } from '../errors.ts'
import type { AppOptions } from '../options/app-options.ts'
import { CallbackAnswer } from '../request/callback-answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { nodeOf } from '../exchange/node-of.ts'
import { rawRequestOrView, viewRequest } from '../exchange/request-view.ts'
import type { Found, RouteFinder, RouteMatch } from '../request/services.ts'
import { callsBack, guardStrategy } from './guard-strategy.ts'
import { createRadixRouter } from './radix-router.ts'
import type { PathReport, RadixMatch, RadixRouter } from './radix-router.ts'
import { routeLabel } from './route-record.ts'
import type { RouteRecord } from './route-record.ts'

/** Constraints of a route, by strategy name. */
export type Constraints = Readonly<Record<string, unknown>>

/** What the tree stores with a route; its plan is found through the record. */
interface Stored {
  readonly record: RouteRecord
}

const nothing = (): void => {}

/**
 * The router behind a small contract: add, remove, find, print. The radix tree is `find-my-way`'s; what is stored
 * in it, and what its errors say, is ours.
 */
export class RouteTable implements RouteFinder {
  readonly #router: RadixRouter
  readonly #records: RouteRecord[] = []
  readonly #options: AppOptions
  #hasConstraints: boolean
  #hasOwnStrategy: boolean
  /** some constraint in use calls back later, so that `deriveAsync` must come before `find` */
  hasAsyncConstraints = false

  /**
   * @param describe - what is printed beside a route
   */
  constructor(options: AppOptions, describe: (record: RouteRecord) => object) {
    this.#options = options
    this.#hasConstraints = options.constraints !== null
    this.#hasOwnStrategy = options.constraints !== null
    this.#router = createRadixRouter(options, ({ store }) => (isStored(store) ? describe(store.record) : {}))
  }

  /** Every route, in the order of definition. */
  get records(): readonly RouteRecord[] {
    return this.#records
  }

  /** @throws `CLO_ERR_DUPLICATED_ROUTE` naming both places, `CLO_ERR_ROUTE_PATH_INVALID` */
  add(record: RouteRecord, constraints: Constraints): void {
    // A HEAD route of the application takes the place of an automatic one; the tree refuses all other twins.
    const existing = record.method === 'HEAD' ? this.lookup('HEAD', record.url, constraints) : null
    if (existing?.automatic === true) this.remove(existing, constraints)
    const stored: Stored = { record }
    try {
      this.#router.on(record.method, record.url, { constraints: { ...constraints } }, nothing, stored)
    } catch (cause) {
      throw this.#explain(cause, record, constraints)
    }
    this.#hasConstraints ||= Object.keys(constraints).length > 0
    this.hasAsyncConstraints ||= Object.keys(constraints).some((name) =>
      callsBack(this.#options.constraints?.[name]),
    )
    this.#records.push(record)
  }

  #explain(cause: unknown, record: RouteRecord, constraints: Constraints): Error {
    const reason = messageOf(cause)
    if (reason.includes('already declared')) {
      const twin =
        this.lookup(record.method, record.url, constraints) ??
        this.#records.find((r) => r.method === record.method && shapeOf(r.url) === shapeOf(record.url))
      return duplicated(record, twin ?? record)
    }
    return createError(
      'ROUTE_PATH_INVALID',
      { path: record.url, route: routeLabel(record), reason },
      { cause },
    )
  }

  remove(record: RouteRecord, constraints: Constraints): void {
    this.#router.off(record.method, record.url, { ...constraints })
    const index = this.#records.indexOf(record)
    if (index !== -1) this.#records.splice(index, 1)
  }

  /** All routes are known: with the option `compile`, the tree becomes code. */
  seal(): void {
    if (this.#options.compile) this.#router.compile()
  }

  /** The route that was defined with exactly this method, path and constraints. */
  lookup(method: string, url: string, constraints: Constraints): RouteRecord | null {
    const stored = this.#router.findRoute(method, url, { ...constraints })?.store
    return isStored(stored) ? stored.record : null
  }

  /** The route that a path reaches under given constraints, with the values of its parameters and its raw query. */
  match(
    method: string,
    url: string,
    constraints: Constraints,
  ): (Pick<RouteMatch, 'params' | 'queryText'> & { readonly record: RouteRecord }) | null {
    const derived = Object.keys(constraints).length === 0 ? undefined : { ...constraints }
    const match = this.#router.find(method, url, derived)
    if (match === null || !isStored(match.store)) return null
    const { store, params, searchParams } = match
    return { record: store.record, params, queryText: String(searchParams) }
  }

  /** The route for a request, under the constraints that were derived or, for want of such, those that it shows. */
  find(exchange: Exchange, derived?: unknown): Found {
    const match = this.#router.find(
      exchange.method,
      exchange.target,
      derived === undefined && this.#hasConstraints
        ? this.#router.constrainer.deriveConstraints(this.#constraintInput(exchange), undefined)
        : derived,
    )
    if (match === null) return null
    const { store } = match
    if (!isStored(store) || store.record.plan === null) return this.#readProblem(match, exchange)
    return { plan: store.record.plan, params: match.params, queryText: String(match.searchParams) }
  }

  /** Derives the constraints of a request that call back, for apps that have such. */
  deriveAsync(exchange: Exchange, callback: (error: Error | null, constraints: unknown) => void): void {
    this.#router.constrainer.deriveConstraints(
      this.#constraintInput(exchange),
      undefined,
      (error, constraints) => {
        if (error != null) callback(wrapThrown(error), null)
        else callback(null, constraints)
      },
    )
  }

  /** Strategies of the application get the raw request; the built-in ones need no more than a view. */
  #constraintInput(exchange: Exchange): object {
    return this.#hasOwnStrategy ? rawRequestOrView(exchange) : viewRequest(exchange)
  }

  /** For a path that cannot be read the tree answers with a handler that reports it. */
  #readProblem(match: RadixMatch, exchange: Exchange): Found {
    const report: PathReport = { path: null, isTooLong: false }
    match.handler(report)
    const { path, isTooLong } = report
    if (path === null) return null
    const answer = isTooLong ? this.#options.onMaxParamLength : this.#options.onBadUrl
    if (answer === null) return createError('BAD_URL', { path })
    const { request, response } = nodeOf(exchange, isTooLong ? 'onMaxParamLength' : 'onBadUrl')
    return new CallbackAnswer(answer(path, request, response))
  }

  hasConstraintStrategy(name: string): boolean {
    return this.#router.hasConstraintStrategy(name)
  }

  addConstraintStrategy(strategy: Readonly<Record<string, unknown>>): void {
    this.#router.addConstraintStrategy(guardStrategy(strategy))
    this.#hasConstraints = true
    this.#hasOwnStrategy = true
    this.hasAsyncConstraints ||= callsBack(strategy)
  }

  print(options: Readonly<Record<string, unknown>>): string {
    return this.#router.prettyPrint(options)
  }
}

function isStored(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && 'record' in value
}

function duplicated(record: RouteRecord, first: RouteRecord): Error {
  return createError('DUPLICATED_ROUTE', {
    method: record.method,
    url: record.url,
    first: first.callSite.toString(),
    place: record.callSite.toString(),
  })
}

/** A path without the names of its parameters, which do not tell two routes apart. */
function shapeOf(url: string): string {
  return url.replace(/:[^/(.-]+/g, ':').replace(/\/+$/, '')
}
