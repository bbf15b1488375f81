import type { AppPhase } from '../context/services.ts'
import type { ExactInput } from '../body/exact/rules.ts'
import type { Context } from '../context/context.ts'
import type { CloisterError } from '../errors.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Pump } from '../exchange/streams.ts'
import type { AnyFunction, Dictionary } from '../guards.ts'
import type { AppLogger } from '../logging/logger.ts'
import type { LogControl, LogOwner } from '../logging/request-log.ts'
import type { RequestLines } from '../logging/request-lines.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { Judge } from './report/judge.ts'
import type { BodyRule, RoutePlan } from './route-plan.ts'
import type { EventStreams } from './event-streams.ts'
import type { NodeConnection } from '../types/upgrade.ts'
import type { Releases } from './held-values.ts'

/** The route and the request part or response for which a handler compiles a schema. */
export interface SchemaUse {
  readonly method: string
  readonly url: string
  readonly httpPart?: string | undefined
  readonly httpStatus?: string | undefined
  readonly contentType?: string | undefined
}

/** Compiles schemas of handlers at run time, once per route and schema. */
export interface AdHocCompiler {
  /** returns what was compiled before */
  find(plan: RoutePlan, schema: object): AnyFunction | undefined
  compile(plan: RoutePlan, schema: object, use: SchemaUse): AnyFunction
}

/** The compilers for schemas of handlers. */
export type AdHocCompilers = Readonly<Record<'validator' | 'serializer', AdHocCompiler>>

/** The services of an app for its requests: everything that does not depend on the route. */
export interface RequestServices extends AppLogger, LogOwner {
  readonly options: AppOptions
  readonly exact: ExactInput
  /** counts what `strict` would refuse, with `strict: 'report'` */
  readonly judge: Judge | null
  /** writes the lines about requests */
  readonly logController: LogControl
  /** writes the first and last lines of requests, where no options of the logger change them */
  readonly requestLines: RequestLines | null
  /** a logger, or a log controller of the application, takes lines about requests */
  readonly logsRequests: boolean
  /** errors have a place to go: where lines go, or stderr if they are hidden from clients too */
  readonly logsErrors: boolean
  readonly methods: { bodyRule(method: string): BodyRule }
  readonly adHoc: AdHocCompilers
  /** decides whether an address may set forwarded headers; `null` when none may */
  readonly trustProxy: ((address: string, hop: number) => boolean) | null
  /** requests so far, for their ids */
  sequence: number
  /** writes streams to responses */
  readonly pump: Pump
  /** takes the connection of a request that asks for another protocol, once, from Node's server */
  takeUpgrade(request: object): NodeConnection | null
  /** open responses that end when the app begins to close */
  readonly eventStreams: EventStreams
  /** values of guards that are being given back */
  readonly releases: Releases
  /** the warnings already given about routes whose responses contradict their content or schemas */
  readonly contradictions: Set<string>
  /** @param request - the request with the query, where it is known */
  parseQuery(text: string, request?: unknown): unknown
  /** returns what handles requests whose path matches no route */
  findNotFound(target: string): NotFound
  /** returns the plan of the not-found handler that the routes of a context call */
  notFoundOf(context: Context): RoutePlan
  readonly routes: RouteFinder
}

/** The not-found handler of a request. */
export interface NotFound {
  readonly stored: RoutePlan
  /** the parameters in its prefix, and the rest of the path as `*` */
  readonly params: unknown
}

/** A route that matches a request. */
export interface RouteMatch {
  /** the route, with its plan from the boot on */
  readonly stored: { readonly plan: RoutePlan | null; readonly options: object }
  readonly params: unknown
  /** the raw query string */
  readonly query: string
}

/** The one route that a request may reach, by the options of its definition. */
export interface OnlyRoute {
  readonly options: object
}

/** A route, no route, an invalid path, or the outcome of a router option that handled the request itself. */
export type Found = RouteMatch | CloisterError | CallbackResult | null

/** The values of a request for the constraints of routes, by strategy name. */
export type Derived = Dictionary

/** The router, as requests use it. */
export interface RouteFinder {
  /** a constraint in use calls back, so `deriveAsync` must run before `find` */
  readonly hasAsyncConstraints: boolean
  find(exchange: Exchange, derived?: Derived): Found
  /** the methods that have a route for the target of a request */
  methodsFor(exchange: Exchange): string[]
  /** the route that the target of a request has for another method */
  findFor(method: string, exchange: Exchange): RouteMatch | null
  deriveAsync(exchange: Exchange, callback: (error: Error | null, constraints?: Derived) => void): void
}

/** The members of an app that its intake uses. */
export interface ServedApp extends RequestServices {
  readonly root: Context
  readonly phase: AppPhase
  /** whether it also serves requests that arrive while it closes */
  readonly servesToTheEnd: boolean
  /** responds with the raw objects when no route matches, before any not-found handler */
  readonly defaultRoute: AnyFunction | null
  /** the plan of requests that reach no route and no context */
  readonly frameworkPlan: RoutePlan
}

/** The result of a callback of the application that handles the request on the raw response; it may be a promise. */
export class CallbackResult {
  readonly result: unknown

  constructor(result: unknown) {
    this.result = result
  }
}
