import type { AppPhase } from '../context/services.ts'
import { CloisterError, createError } from '../errors.ts'
import type { Exchange, ResponseHeaders } from '../exchange/exchange.ts'
import { nodeOf, rawRequestOrView } from '../exchange/node-access.ts'
import { isThenable, whenSettled, isLate, typeName, type AnyFunction } from '../guards.ts'
import { kPlan, kState } from '../symbols.ts'
import { traceRequest } from './trace.ts'
import { requestChannels } from '../tracing.ts'
import { toOriginForm, Admission } from './admission.ts'
import { CallbackResult, type Derived, type DispatchServices, type ServedApp } from './services.ts'
import type { RoutePlan } from './route-plan.ts'
import type { ReplyState, RequestState } from './state.ts'
import { runStages } from './run-stages.ts'
import { watch } from './watch.ts'
import { logSafely } from '../logging/request-log.ts'
import { acceptsProblem, PROBLEM_CONTENT, problemOfStatus } from './errors/problem.ts'
import type { Context } from '../context/context.ts'
import { prefixCode } from '../error-prefix.ts'
import { settleResult } from './stages/call-handler.ts'

const SLASH = 47

/**
 * Takes the exchanges of all transports: refuses them while the app closes, admits them, rewrites their target by
 * `rewriteUrl`, dispatches them. Any failure on the way gets a response.
 */
export class Intake {
  readonly #app: ServedApp
  readonly #admission: Admission

  constructor(app: ServedApp) {
    this.#app = app
    this.#admission = new Admission(app.options)
  }

  /**
   * Takes one exchange; never throws.
   *
   * @param phase - the phase of the app when the request arrived, which may be before now
   */
  receive(exchange: Exchange, phase: AppPhase): void {
    const app = this.#app
    try {
      if ((phase === 'closing' || phase === 'closed') && refuseWhenClosing(app, exchange)) return
      const refused = this.#admission.check(exchange)
      if (refused !== null) {
        exchange.endConnection()
        sendFrameworkError(app, exchange, refused)
        return
      }
      const isPath = exchange.target.charCodeAt(0) === SLASH
      const local = isPath ? exchange : toOriginForm(exchange)
      const { rewriteUrl } = app.options
      dispatch(app, rewriteUrl === null ? local : rewriteTarget(app, local, rewriteUrl))
    } catch (error) {
      try {
        sendFrameworkError(app, exchange, error)
      } catch {
        // The log controller fails for every request, so only the client can get a response.
        sendLastResort(exchange)
      }
    }
  }
}

/** Sends the last possible response, by the transport alone. */
function sendLastResort(exchange: Exchange): void {
  if (exchange.headersSent) exchange.abort()
  else exchange.send(500, { 'content-length': '0' }, null)
}

/**
 * Where a request starts: exchange -> plan -> request and reply -> stages.
 *
 * @param params - the values of the path's parameters
 * @param queryText - the raw query string
 */
function startRequest(plan: RoutePlan, exchange: Exchange, params: unknown, queryText: string): void {
  const request = new plan.Request(exchange, plan, params, queryText, ++plan.app.sequence)
  const reply = new plan.Reply(exchange, plan, request)
  reply[kState].startTime = performance.now()
  if (requestChannels.hasSubscribers) traceRequest(reply, () => run(plan, request, reply))
  else if (plan.watched) run(plan, request, reply)
  else runStages(plan.requestStages, reply)
}

function run(plan: RoutePlan, request: RequestState, reply: ReplyState): void {
  if (plan.watched) watch(plan, request, reply)
  runStages(plan.requestStages, reply)
}

/**
 * Finds the plan for an exchange and starts it.
 *
 * @param constraints - the values of the request, for apps with a constraint that calls back
 */
function dispatch(app: DispatchServices, exchange: Exchange, constraints?: Derived): void {
  if (app.routes.hasAsyncConstraints && constraints === undefined) {
    dispatchLater(app, exchange)
    return
  }
  const found = app.routes.find(exchange, constraints)
  if (found === null || found instanceof CloisterError || found instanceof CallbackResult)
    startOther(app, exchange, found)
  else startRequest(found.plan, exchange, found.params, found.queryText)
}

/** Waits for a constraint that calls back. */
function dispatchLater(app: DispatchServices, exchange: Exchange): void {
  app.routes.deriveAsync(exchange, (cause, constraints = {}) => {
    if (cause === null) dispatch(app, exchange, constraints)
    else sendFrameworkError(app, exchange, createError('ASYNC_CONSTRAINT', {}, { cause }))
  })
}

/**
 * Handles the other results of the router: no route, an invalid path, or one that a router option of the application
 * has handled.
 */
function startOther(
  app: DispatchServices,
  exchange: Exchange,
  found: CloisterError | CallbackResult | null,
): void {
  if (found instanceof CallbackResult) {
    failLater(app, exchange, found.result)
    return
  }
  const { defaultRoute } = app
  if (found !== null) sendFrameworkError(app, exchange, found)
  else if (defaultRoute !== null) failLater(app, exchange, callDefaultRoute(exchange, defaultRoute))
  else startRequest(app.findNotFound(exchange.target), exchange, {}, queryOf(exchange.target))
}

function callDefaultRoute(exchange: Exchange, defaultRoute: AnyFunction): unknown {
  const { request, response } = nodeOf(exchange, 'defaultRoute')
  return defaultRoute(request, response)
}

/** A callback with the raw response may be asynchronous. If it fails, its request does. */
function failLater(app: DispatchServices, exchange: Exchange, result: unknown): void {
  if (!isThenable(result)) return
  whenSettled(
    result,
    () => {},
    (error) => sendFrameworkError(app, exchange, error),
  )
}

const BODY = '{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}'

/**
 * Ends the connection of each new request after its response while the app closes; with `return503OnClosing` that
 * response is a 503.
 *
 * @returns true when the request has got its response
 */
function refuseWhenClosing(app: ServedApp, exchange: Exchange): boolean {
  exchange.endConnection()
  if (!app.options.return503OnClosing) return false
  const { problemDetails } = app.options
  const headers: ResponseHeaders = { 'content-type': 'application/json' }
  if (problemDetails === 'accepted') headers['vary'] = 'Accept'
  if (acceptsProblem(problemDetails, exchange.header('accept'))) {
    headers['content-type'] = PROBLEM_CONTENT
    exchange.send(503, headers, JSON.stringify(problemOfStatus(503, 'Service Unavailable')))
  } else exchange.send(503, headers, BODY)
  const { logController, logger, root } = app
  logSafely(app, () => logController.serviceUnavailable(logger, root.instance))
  return true
}

/**
 * Returns the exchange with the target that `rewriteUrl` of the application returns.
 *
 * @throws `CLO_ERR_ROUTE_REWRITE_NOT_STR`
 */
function rewriteTarget(
  app: { readonly root: Context },
  exchange: Exchange,
  rewriteUrl: AnyFunction,
): Exchange {
  const { node, originalTarget } = exchange
  if (node !== null) Object.assign(node.request, { originalUrl: originalTarget })
  const url: unknown = rewriteUrl.call(app.root.instance, rawRequestOrView(exchange))
  if (typeof url === 'string') return exchange.withTarget(url)
  const type = isLate(url) ? 'promise' : typeName(url)
  throw createError('ROUTE_REWRITE_NOT_STR', { url: originalTarget, type })
}

/**
 * Responds to a request that reached no route: a malformed path, a parameter that is too long, a constraint that
 * failed. No hook and no handler of a context runs; `frameworkErrors` may respond instead.
 */
export function sendFrameworkError(app: DispatchServices, exchange: Exchange, error: unknown): void {
  const plan = app.frameworkPlan
  const request = new plan.Request(exchange, plan, {}, queryOf(exchange.target), ++app.sequence)
  const reply = new plan.Reply(exchange, plan, request)
  reply[kState].startTime = performance.now()
  if (requestChannels.hasSubscribers) traceRequest(reply, () => respond(app, reply, error))
  else respond(app, reply, error)
}

function respond(app: DispatchServices, reply: ReplyState, error: unknown): void {
  const plan = reply[kPlan]
  if (plan.watched) watch(plan, reply.request, reply)
  const { errorCodePrefix, frameworkErrors } = app.options
  if (frameworkErrors === null) {
    plan.fail(reply, error)
    return
  }
  try {
    prefixCode(error, errorCodePrefix)
    void settleResult(frameworkErrors(error, reply.request, reply), reply)
  } catch (thrown) {
    plan.fail(reply, thrown)
  }
}

/** Returns the raw query string of a request target. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}
