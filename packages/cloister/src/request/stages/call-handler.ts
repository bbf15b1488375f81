import { isThenable } from '../../guards.ts'
import { ownStatus } from '../../read-error.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { handlerChannels, type Trace } from '../../tracing.ts'
import { warnOfNothing } from '../forgotten-return.ts'
import { sendItems } from '../items/start-items.ts'
import type { RoutePlan } from '../route-plan.ts'
import { callHooks, failIfOurs, type HookRun } from '../run-stages.ts'
import { HIJACKED, OPEN, type ReplyState, type RequestState } from '../state.ts'
import { letGo } from '../unsent-source.ts'
import { writeLine, writeWarning } from '../write-line.ts'

const LATE = 'the handler returned a value after it had sent an error; the error handlers respond'

/** Stage: calls the handler of the route; its result or error becomes the reply. */
export function callHandler(plan: RoutePlan, request: RequestState, reply: ReplyState): unknown {
  if (handlerChannels.hasSubscribers && !plan.isNotFound) return traceHandler(reply)
  const { epoch } = reply[kState]
  return settleResult(plan.handler(request, reply), reply, epoch)
}

/**
 * Sends the result of a handler. `undefined` means that the handler calls `send` itself. A promise is awaited, and its
 * value is sent unless the reply was sent by then. A handler that has awaited the reply, or resolves to it, sends
 * later.
 *
 * @param epoch - of the reply before the handler ran: what follows an error that it has sent is late
 */
export function settleResult(result: unknown, reply: ReplyState, epoch: number): unknown {
  if (result === undefined || result === reply) return undefined
  if (!(result instanceof Promise) && !isThenable(result)) {
    if (reply[kPlan].hasItems) return sendItems(result, reply)
    reply.send(result)
    return undefined
  }
  const state = reply[kState]
  const wasOpen = state.phase === OPEN
  return Promise.resolve(result).then(
    (value) => {
      if (value === undefined || value === reply) {
        if (wasOpen && state.epoch === epoch && !state.awaited) sendNothing(reply)
        return undefined
      }
      // A handler that has hijacked the reply may return any value.
      if (state.phase === HIJACKED) return undefined
      if (state.phase === OPEN && state.epoch !== epoch) {
        letGo(reply, value)
        writeWarning(reply, LATE)
        return undefined
      }
      if (reply[kPlan].hasItems) return sendItems(value, reply)
      reply.send(value)
      return undefined
    },
    (error: unknown) => {
      if (wasOpen && state.epoch === epoch) reply[kPlan].fail(reply, error)
      else writeLine(reply, 'error', error, 'the handler failed after the response was sent')
    },
  )
}

/** A promise of `undefined` sends an empty payload, unless the raw response was used. */
function sendNothing(reply: ReplyState): void {
  if (reply[kExchange].turn.hasBegun) return
  warnOfNothing(reply)
  reply.send(undefined)
}

/**
 * Calls the handler within the events of its tracing channel: `start` and `end` around its synchronous part,
 * `asyncStart` and `asyncEnd` around the settlement of its promise (and that of an error handler), `error` with the
 * status that the error will have unless a handler sets another. The error path runs inside, so that stores bound to
 * `start` are available there. A `preHandler` hook that fails is published too; not-found handlers are not.
 */
function traceHandler(reply: ReplyState): unknown {
  return runTraced(reply, (trace) => {
    const epoch = reply[kState].epoch
    try {
      const result = reply[kPlan].handler(reply.request, reply)
      return isThenable(result)
        ? settleTraced(trace, result, reply, epoch)
        : settleResult(result, reply, epoch)
    } catch (error) {
      failTraced(trace, reply, epoch, error)
      return undefined
    }
  })
}

/** Stage: runs the `preHandler` hooks. With tracing, only their errors are published. */
export function callPreHandler(
  { hooks: { preHandler }, isNotFound }: RoutePlan,
  _request: RequestState,
  reply: ReplyState,
): HookRun | undefined {
  if (!handlerChannels.hasSubscribers || isNotFound) return callHooks(preHandler, reply)
  const epoch = reply[kState].epoch
  const fail = (error: unknown): void => runTraced(reply, (trace) => failTraced(trace, reply, epoch, error))
  try {
    return callHooks(preHandler, reply)?.takeErrors(fail)
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
  epoch: number,
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
  return Promise.resolve(settleResult(watched, reply, epoch)).then(() => {
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
