import type { AppState } from '../app-state.ts'
import { prefixCode } from '../error-prefix.ts'
import { CloisterError, createError } from '../errors.ts'
import { isThenable } from '../functions.ts'
import { kStartTime } from '../symbols.ts'
import { CallbackAnswer } from './callback-answer.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { nodeOf } from '../exchange/node-of.ts'
import type { AnyFunction } from '../functions.ts'
import type { ReplyImpl } from './reply.ts'
import type { RoutePlan } from './route-plan.ts'
import { runStages } from './run-stages.ts'
import { settleResult } from './stages/call-handler.ts'
import { watch } from './watch.ts'

/**
 * Where a request starts: exchange -> plan -> request and reply -> stages.
 *
 * @param params - the values of the path's parameters
 * @param queryText - the raw query string
 */
export function startRequest(
  plan: RoutePlan,
  exchange: Exchange,
  params: unknown,
  queryText: string,
): ReplyImpl {
  const request = new plan.Request(exchange, plan, params, queryText, ++plan.app.sequence)
  const reply = new plan.Reply(exchange, plan, request)
  reply[kStartTime] = performance.now()
  if (plan.watched) watch(plan, request, reply)
  runStages(plan.requestStages, reply)
  return reply
}

/** Finds the plan for an exchange and starts it. */
export function dispatch(app: AppState, exchange: Exchange): void {
  if (app.routes.hasAsyncConstraints) {
    dispatchLater(app, exchange)
    return
  }
  const found = app.routes.find(exchange)
  if (found === null || found instanceof CloisterError || found instanceof CallbackAnswer)
    startOther(app, exchange, found)
  else startRequest(found.plan, exchange, found.params, found.queryText)
}

/** Some constraint calls back before the route can be found. */
function dispatchLater(app: AppState, exchange: Exchange): void {
  app.routes.deriveAsync(exchange, (cause, constraints) => {
    if (cause !== null) {
      const error = createError('ASYNC_CONSTRAINT', {}, { cause })
      answerFrameworkError(app, exchange, error)
      return
    }
    const found = app.routes.find(exchange, constraints)
    if (found === null || found instanceof CloisterError || found instanceof CallbackAnswer)
      startOther(app, exchange, found)
    else startRequest(found.plan, exchange, found.params, found.queryText)
  })
}

/** No route, a path that cannot be read, or one that a router option of the application has answered. */
function startOther(app: AppState, exchange: Exchange, found: CloisterError | CallbackAnswer | null): void {
  if (found instanceof CallbackAnswer) {
    failLater(app, exchange, found.result)
    return
  }
  const { defaultRoute } = app
  if (found !== null) answerFrameworkError(app, exchange, found)
  else if (defaultRoute !== null) failLater(app, exchange, callDefaultRoute(exchange, defaultRoute))
  else startRequest(app.findNotFound(exchange.target), exchange, {}, queryOf(exchange.target))
}

function callDefaultRoute(exchange: Exchange, defaultRoute: AnyFunction): unknown {
  const { request, response } = nodeOf(exchange, 'defaultRoute')
  return defaultRoute(request, response)
}

/** A callback that has the raw response may be asynchronous; its request fails with it. */
function failLater(app: AppState, exchange: Exchange, result: unknown): void {
  if (!isThenable(result)) return
  result.then(undefined, (error: unknown) => answerFrameworkError(app, exchange, error))
}

function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}

/**
 * Answers a request that reached no route: a malformed path, a parameter that is too long, a constraint that failed.
 * No hook and no handler of a context runs; `frameworkErrors` may answer instead.
 */
export function answerFrameworkError(app: AppState, exchange: Exchange, error: unknown): void {
  const plan = app.frameworkPlan
  const request = new plan.Request(exchange, plan, {}, queryOf(exchange.target), ++app.sequence)
  const reply = new plan.Reply(exchange, plan, request)
  reply[kStartTime] = performance.now()
  if (plan.watched) watch(plan, request, reply)
  const { frameworkErrors } = app.options
  if (frameworkErrors === null) {
    plan.fail(reply, error)
    return
  }
  try {
    prefixCode(error, app.options.errorCodePrefix)
    void settleResult(frameworkErrors(error, request, reply), reply)
  } catch (thrown) {
    plan.fail(reply, thrown)
  }
}
