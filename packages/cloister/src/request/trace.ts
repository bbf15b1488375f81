import { handlerChannels, requestChannels, type Trace } from '../tracing.ts'
import type { Outcome } from '../exchange/exchange.ts'
import { kExchange, kPlan, kState } from '../symbols.ts'
import { HIJACKED, type ReplyState } from './state.ts'
import { isThenable } from '../guards.ts'
import { ownStatus } from '../read-error.ts'
import { failIfOurs, type HookRun } from './hook-run.ts'

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

/** @param outcome - the error that ended the response; `null` if it is complete */
function endTrace(trace: Trace, outcome: Outcome): void {
  if (outcome !== null) publishRequestError(trace, outcome)
  requestChannels.asyncStart.publish(trace)
  requestChannels.asyncEnd.publish(trace)
}

type Settle = (result: unknown, reply: ReplyState) => unknown

/**
 * Calls the handler within the events of its tracing channel: `start` and `end` around its synchronous part,
 * `asyncStart` and `asyncEnd` around the settlement of its promise (and that of an error handler), `error` with the
 * status that the error will have unless a handler sets another. The error path runs inside, so that stores bound to
 * `start` are available there. A `preHandler` hook that fails is published too; not-found handlers are not.
 */
export function traceHandler(reply: ReplyState, settleResult: Settle): unknown {
  return runTraced(reply, (trace) => {
    const epoch = reply[kState].epoch
    try {
      const result = reply[kPlan].handler(reply.request, reply)
      return isThenable(result)
        ? settleTraced(trace, result, reply, settleResult)
        : settleResult(result, reply)
    } catch (error) {
      failTraced(trace, reply, epoch, error)
      return undefined
    }
  })
}

/** Runs the `preHandler` hooks; only their errors are published. */
export function tracePreHandler(
  reply: ReplyState,
  callHooks: () => HookRun | undefined,
): HookRun | undefined {
  const epoch = reply[kState].epoch
  const fail = (error: unknown): void => runTraced(reply, (trace) => failTraced(trace, reply, epoch, error))
  try {
    return callHooks()?.takeErrors(fail)
  } catch (error) {
    fail(error)
    return undefined
  }
}

/** Sends the result of a handler or error handler, inside the trace of the reply. */
export function settleTraced(
  trace: Trace,
  result: PromiseLike<unknown>,
  reply: ReplyState,
  settleResult: Settle,
): unknown {
  trace['async'] = true
  const isOurs = (): boolean => reply[kState].phase !== HIJACKED
  if (Object.is(result, reply)) {
    reply[kExchange].onFinished(() => {
      if (!isOurs()) return
      handlerChannels.asyncStart.publish(trace)
      handlerChannels.asyncEnd.publish(trace)
    })
    return undefined
  }
  const watched = Promise.resolve(result).then(
    (value) => {
      if (isOurs()) handlerChannels.asyncStart.publish(trace)
      return value
    },
    (error: unknown) => {
      publishError(trace, reply, error)
      handlerChannels.asyncStart.publish(trace)
      throw error
    },
  )
  const settled = settleResult(watched, reply)
  if (!isThenable(settled)) return settled
  return Promise.resolve(settled).then(() => {
    if (isOurs()) handlerChannels.asyncEnd.publish(trace)
  })
}

function runTraced<T>(reply: ReplyState, run: (trace: Trace) => T): T {
  const { url, method } = reply[kPlan].routeOptions()
  const trace: Trace = { request: reply.request, reply, async: false, route: { url, method } }
  reply[kState].trace = trace
  return handlerChannels.start.runStores(trace, () => {
    try {
      return run(trace)
    } finally {
      handlerChannels.end.publish(trace)
    }
  })
}

function failTraced(trace: Trace, reply: ReplyState, epoch: number, error: unknown): void {
  publishError(trace, reply, error)
  failIfOurs(reply, epoch, error)
}

function publishError(trace: Trace, reply: ReplyState, error: unknown): void {
  trace['error'] = error
  if (!reply[kState].statusSet || reply.statusCode === 200) reply.code(ownStatus(error) ?? 500)
  handlerChannels.error.publish(trace)
}
