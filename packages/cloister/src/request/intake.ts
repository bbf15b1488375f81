import type { AppPhase } from '../context/services.ts'
import { CloisterError, createError } from '../errors.ts'
import type { Exchange, ResponseHeaders } from '../exchange/exchange.ts'
import { nodeOf, rawRequestOrView, retarget } from '../exchange/node-access.ts'
import { isThenable, whenSettled, isLate, typeName, type AnyFunction } from '../guards.ts'
import { kPlan, kState } from '../symbols.ts'
import { requestChannels } from '../tracing.ts'
import { toOriginForm, Admission } from './admission.ts'
import { CallbackResult, type Derived, type Found, type OnlyRoute, type ServedApp } from './services.ts'
import type { RoutePlan, Stage } from './route-plan.ts'
import type { ReplyState } from './state.ts'
import { runStages } from './run-stages.ts'
import { observePath } from './observer.ts'
import { traceRequest } from './watch.ts'
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
   * Takes one exchange; never throws. It is bound, so that a transport calls it without a function between.
   *
   * @param phase - the phase of the app when the request arrived, which may be before now
   * @param only - the one route that it may reach; `null` for any
   */
  readonly receive = (
    exchange: Exchange,
    phase: AppPhase = this.#app.phase,
    only: OnlyRoute | null = null,
  ): void => {
    const app = this.#app
    try {
      if ((phase === 'closing' || phase === 'closed') && refuseWhenClosing(app, exchange)) return
      const refused = this.#admission.check(exchange)
      if (refused !== null) {
        exchange.endConnection()
        sendFrameworkError(app, exchange, refused)
        return
      }
      if (exchange.target.charCodeAt(0) !== SLASH) toOriginForm(exchange)
      const { rewriteUrl } = app.options
      if (rewriteUrl !== null) rewriteTarget(app, exchange, rewriteUrl)
      dispatch(app, exchange, only)
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
  if (exchange.turn.hasBegun) exchange.abort()
  else exchange.send(500, { 'content-length': '0' }, null)
}

/**
 * Where a request starts: exchange -> plan -> request and reply -> stages.
 *
 * @param params - the values of the path's parameters
 * @param queryText - the raw query string
 */
function startRequest(
  plan: RoutePlan,
  exchange: Exchange,
  params: unknown,
  queryText: string,
  stages: readonly Stage[],
): void {
  const request = new plan.Request(exchange, plan, params, queryText, ++plan.app.sequence)
  const reply = new plan.Reply(exchange, plan, request)
  reply[kState].startTime = performance.now()
  if (plan.observer !== null) observePath(reply, plan.observer, () => runTraced(stages, reply))
  else if (requestChannels.hasSubscribers) runTraced(stages, reply)
  else if (plan.watch !== null) runWatched(stages, reply)
  else runStages(stages, reply)
}

function runTraced(stages: readonly Stage[], reply: ReplyState): void {
  if (requestChannels.hasSubscribers) traceRequest(reply, () => runWatched(stages, reply))
  else runWatched(stages, reply)
}

function runWatched(stages: readonly Stage[], reply: ReplyState): void {
  reply[kPlan].watch?.(reply)
  runStages(stages, reply)
}

/**
 * Finds the plan for an exchange and starts it. An exchange for another route than its only one ends before any hook.
 *
 * @param constraints - the values of the request, for apps with a constraint that calls back
 */
function dispatch(app: ServedApp, exchange: Exchange, only: OnlyRoute | null, constraints?: Derived): void {
  if (app.routes.hasAsyncConstraints && constraints === undefined) {
    dispatchLater(app, exchange, only)
    return
  }
  const found = app.routes.find(exchange, constraints)
  if (only !== null && !isOnly(only, found)) refuseOther(app, exchange)
  else if (found === null || found instanceof CloisterError || found instanceof CallbackResult)
    startOther(app, exchange, found)
  else if (found.stored.plan === null) startOther(app, exchange, null)
  else startRequest(found.stored.plan, exchange, found.params, found.query, found.stored.plan.requestStages)
}

function isOnly({ options }: OnlyRoute, found: Found): boolean {
  return found !== null && 'stored' in found && found.stored.options === options
}

function refuseOther(app: ServedApp, exchange: Exchange): void {
  const { method, target } = exchange
  exchange.abort(prefixCode(createError('FETCH_ROUTE_OTHER', { method, target }), app.options))
}

/** Waits for a constraint that calls back. */
function dispatchLater(app: ServedApp, exchange: Exchange, only: OnlyRoute | null): void {
  app.routes.deriveAsync(exchange, (cause, constraints = {}) => {
    if (cause === null) dispatch(app, exchange, only, constraints)
    else sendFrameworkError(app, exchange, createError('ASYNC_CONSTRAINT', {}, { cause }))
  })
}

/**
 * Handles the other results of the router: no route, an invalid path, or one that a router option of the application
 * has handled.
 */
function startOther(app: ServedApp, exchange: Exchange, found: CloisterError | CallbackResult | null): void {
  if (found instanceof CallbackResult) {
    failLater(app, exchange, found.result)
    return
  }
  const { target } = exchange
  const { defaultRoute } = app
  if (found !== null) sendFrameworkError(app, exchange, found)
  else if (defaultRoute !== null) {
    const { request, response } = nodeOf(exchange, 'defaultRoute')
    failLater(app, exchange, defaultRoute(request, response))
  } else {
    const { stored: plan, params } = app.findNotFound(target)
    startRequest(plan, exchange, params, queryOf(target), plan.requestStages)
  }
}

/** A callback with the raw response may be asynchronous. If it fails, its request does. The response may fail later. */
function failLater(app: ServedApp, exchange: Exchange, result: unknown): void {
  exchange.node?.onResponseError((err) =>
    logSafely(app, () => app.logger.error({ err }, 'the raw response failed')),
  )
  if (!isThenable(result)) return
  whenSettled(
    result,
    () => {},
    (error) => sendFrameworkError(app, exchange, error),
  )
}

const BODY = '{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}'

/**
 * Ends the connection of each new request after its response while the app closes; that response is a 503 unless the
 * app serves to the end.
 *
 * @returns true when the request has got its response
 */
function refuseWhenClosing(app: ServedApp, exchange: Exchange): boolean {
  exchange.endConnection()
  if (app.servesToTheEnd) return false
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
 * Gives an exchange the target that `rewriteUrl` of the application wants.
 *
 * @throws `CLO_ERR_ROUTE_REWRITE_NOT_STR`
 */
function rewriteTarget(app: { readonly root: Context }, exchange: Exchange, rewriteUrl: AnyFunction): void {
  const { node, originalTarget } = exchange
  if (node !== null) Object.assign(node.request, { originalUrl: originalTarget })
  const url: unknown = rewriteUrl.call(app.root.instance, rawRequestOrView(exchange))
  if (typeof url !== 'string') {
    const type = isLate(url) ? 'promise' : typeName(url)
    throw createError('ROUTE_REWRITE_NOT_STR', { url: originalTarget, type })
  }
  retarget(exchange, url)
}

/**
 * Responds to a request that reached no route: a malformed path, a parameter that is too long, a constraint that
 * failed. No hook and no handler of a context runs; `frameworkErrors` may respond instead.
 */
function sendFrameworkError(app: ServedApp, exchange: Exchange, error: unknown): void {
  const { frameworkErrors } = app.options
  const respond: Stage = (plan, request, reply) => {
    if (frameworkErrors === null) {
      plan.fail(reply, error)
      return undefined
    }
    prefixCode(error, app.options)
    const { epoch } = reply[kState]
    return settleResult(frameworkErrors(error, request, reply), reply, epoch)
  }
  startRequest(app.frameworkPlan, exchange, {}, queryOf(exchange.target), [respond])
}

/** Returns the raw query string of a request target. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}
