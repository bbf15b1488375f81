import { endOf, type Outcome } from '../exchange/ends.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { wrapThrown } from '../read-error.ts'
import { isLate, isThenable } from '../guards.ts'
import { logSafely, reportLogFailure } from '../logging/request-log.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { HIJACKED, isHandedOver, type ReplyState, type RequestState } from './state.ts'
import type { RoutePlan } from './route-plan.ts'
import { whenHookSettled } from './run-stages.ts'
import { writeLine } from './write-line.ts'
import { callHookWithDone, type RequestHook } from '../hooks/request-hook.ts'
import { observePart } from './observer.ts'
import { requestChannels, type Trace } from '../tracing.ts'

/** The events outside of the path: log lines and the hooks `onResponse`, `onRequestAbort` and `onTimeout`. */
export function watch(reply: ReplyState): void {
  const { [kExchange]: exchange, [kPlan]: plan } = reply
  const { hooks, app } = plan
  if (app.logsRequests) logSafely(app, () => logIncoming(app, reply))
  if (app.logsRequests || hooks.onResponse.length > 0)
    exchange.onFinished((error) => observePart(reply, () => finish(plan, reply, error)))
  if (hooks.onRequestAbort.length > 0)
    onAbort(exchange, () => runAside(hooks.onRequestAbort, reply, 'onRequestAbort'))
  if (hooks.onTimeout.length > 0) exchange.onTimeout(() => runOnTimeout(reply))
}

/** A reply that the application has taken over is its own, as in Fastify. */
function runOnTimeout(reply: ReplyState): void {
  if (reply[kState].phase !== HIJACKED) runAside(reply[kPlan].hooks.onTimeout, reply, 'onTimeout')
}

function onAbort(exchange: Exchange, callback: () => void): void {
  exchange.onFinished((outcome) => {
    if (endOf(outcome).aborts) callback()
  })
}

function runAside(hooks: readonly RequestHook[], reply: ReplyState, name: string): void {
  observePart(reply, () => runHooksAside(hooks, reply, logFailure, name))
}

/** The last log line waits for the `onResponse` hooks, which don't run if the client disconnected. */
function finish(plan: RoutePlan, reply: ReplyState, error: Outcome): void {
  reply[kState].endTime = performance.now()
  const { onResponse } = plan.hooks
  if (!endOf(error).runsOnResponse) {
    if (!isHandedOver(reply)) complete(reply, error)
  } else if (onResponse.length === 0) complete(reply, error)
  else runHooksAside(onResponse, reply, completeAfterHooks, error)
}

/** Logs the error of an `onResponse` hook like one of the request itself. */
function completeAfterHooks(reply: ReplyState, failure: HookFailure | null, error: Error | null): void {
  const { app } = reply[kPlan]
  if (failure === null) complete(reply, error)
  else if (app.logsRequests && isLogged(app, reply)) complete(reply, wrapThrown(failure.thrown))
  else logFailure(reply, failure, 'onResponse')
}

/** If the application's check of whether a line is wanted fails, the line is written. */
function isLogged(app: RoutePlan['app'], reply: ReplyState): boolean {
  try {
    const isDisabled = app.logController.isLogDisabled(reply.request)
    return isLate(isDisabled) || !isDisabled
  } catch (failure) {
    reportLogFailure(app, failure)
    return true
  }
}

function complete(reply: ReplyState, error: Error | null): void {
  const { app } = reply[kPlan]
  if (!app.logsRequests) return
  logSafely(app, () => logCompleted(app, reply, error))
}

function logIncoming({ requestLines, logController }: RoutePlan['app'], reply: ReplyState): unknown {
  const { request } = reply
  return requestLines?.incoming(request) === true ? undefined : logController.incomingRequest(request, reply)
}

function logCompleted(
  { requestLines, logController }: RoutePlan['app'],
  reply: ReplyState,
  error: Error | null,
): unknown {
  const { request } = reply
  return requestLines?.completed(error, request, reply) === true
    ? undefined
    : logController.requestCompleted(error, request, reply)
}

function logFailure(reply: ReplyState, failure: HookFailure | null, name: string): void {
  if (failure !== null) writeLine(reply, 'error', failure.thrown, `${name} hook failed`)
}

/** A value that a hook has thrown. */
export interface HookFailure {
  readonly thrown: unknown
}

/** Called after the last hook, with the error that a hook has thrown, and the note of the caller. */
export type HooksSettled<Note> = (reply: ReplyState, failure: HookFailure | null, note: Note) => void

/**
 * Runs hooks outside of the path (`onResponse`, `onTimeout`, `onRequestAbort`, `onError`), up to one that fails.
 *
 * @param value - the third argument of hooks that have one
 */
export function runHooksAside<Note>(
  hooks: readonly RequestHook[],
  reply: ReplyState,
  settled: HooksSettled<Note>,
  note: Note,
  value?: unknown,
): void {
  const { request } = reply
  let index = 0
  const hookFailed = (thrown: unknown): void => settled(reply, { thrown }, note)
  /** Calls the remaining hooks, up to one that must be awaited. */
  const hookSettled = (): void => {
    while (index < hooks.length) {
      const hook = hooks[index++]
      if (hook === undefined) break
      if (hook.takesDone) {
        callHookWithDone(hook, request, reply, value, { hookSettled, hookFailed })
        return
      }
      let result: unknown
      try {
        result = callAside(hook, request, reply, value)
      } catch (thrown) {
        hookFailed(thrown)
        return
      }
      if (isThenable(result)) {
        whenHookSettled(result, reply, { hookSettled, hookFailed })
        return
      }
    }
    settled(reply, null, note)
  }
  hookSettled()
}

function callAside(hook: RequestHook, request: unknown, reply: unknown, value: unknown): unknown {
  if (hook.args === 1) return hook.call(request)
  return hook.args === 2 ? hook.call(request, reply) : hook.call(request, reply, value)
}

/**
 * Runs the path of a request within the events of its tracing channel: `start` and `end` around the synchronous part,
 * `error` for each error, `asyncStart` and `asyncEnd` when the exchange is over. Stores that are bound to `start` are
 * available on the whole path.
 *
 * @param run - starts the path
 */
export function traceRequest(reply: ReplyState, run: () => void): void {
  const { url, method } = reply[kPlan].routeOptions()
  const trace: Trace = { request: reply.request, reply, route: url === undefined ? null : { url, method } }
  reply[kState].requestTrace = trace
  reply[kExchange].onFinished((outcome) => endTrace(trace, outcome))
  requestChannels.start.runStores(trace, () => {
    try {
      run()
    } finally {
      requestChannels.end.publish(trace)
    }
  })
}

/** Publishes an error that goes to the error handlers of a request. */
export function publishRequestError(trace: Trace, error: unknown): void {
  trace['error'] = error
  requestChannels.error.publish(trace)
}

/** Marks the message of a request whose connection a WebSocket takes: the request is over when the socket is. */
export function markHandedOver(reply: ReplyState): void {
  const { requestTrace } = reply[kState]
  if (requestTrace !== null && isHandedOver(reply)) requestTrace['upgraded'] = true
}

/** @param outcome - the error that ended the response; `null` if it is complete */
function endTrace(trace: Trace, outcome: Outcome): void {
  if (outcome !== null) publishRequestError(trace, outcome)
  requestChannels.asyncStart.publish(trace)
  requestChannels.asyncEnd.publish(trace)
}

/**
 * Returns the abort controller of a request, created on first use. It aborts when the client disconnects before the
 * response is complete, or when the handler's deadline passes.
 */
export function requestSignal(request: RequestState): AbortController {
  const state = request[kState]
  if (state.controller !== null) return state.controller
  const controller = new AbortController()
  state.controller = controller
  const exchange = request[kExchange]
  // `onAbort` would call back later, but the signal must be aborted now.
  if (exchange.turn.isGone) controller.abort()
  else onAbort(exchange, () => controller.abort())
  return controller
}
