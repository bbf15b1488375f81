import { isThenable } from '../../guards.ts'
import { kExchange, kPlan, kState } from '../../symbols.ts'
import { sendItems } from '../items/start-items.ts'
import { HIJACKED, OPEN, type ReplyState, type RequestState } from '../state.ts'
import type { RoutePlan } from '../route-plan.ts'
import { writeLine } from '../write-line.ts'
import { traceHandler } from '../trace.ts'
import { handlerChannels } from '../../tracing.ts'

/** Stage: calls the handler of the route; its result or error becomes the reply. */
export function callHandler(plan: RoutePlan, request: RequestState, reply: ReplyState): unknown {
  if (handlerChannels.hasSubscribers && !plan.isNotFound) return traceHandler(reply, settleResult)
  return settleResult(plan.handler(request, reply), reply)
}

/**
 * Sends the result of a handler. `undefined` means that the handler calls `send` itself. A promise is awaited, and its
 * value is sent unless the reply was sent by then. A handler that has awaited the reply, or resolves to it, sends
 * later.
 */
export function settleResult(result: unknown, reply: ReplyState): unknown {
  if (result === undefined || result === reply) return undefined
  if (!(result instanceof Promise) && !isThenable(result)) {
    if (reply[kPlan].hasItems) return sendItems(result, reply)
    reply.send(result)
    return undefined
  }
  const state = reply[kState]
  const { epoch } = state
  const wasOpen = state.phase === OPEN
  return Promise.resolve(result).then(
    (value) => {
      if (value === undefined || value === reply) {
        if (wasOpen && state.epoch === epoch && !state.awaited) sendNothing(reply)
        return undefined
      }
      // A handler that has hijacked the reply may return any value.
      if (state.phase === HIJACKED) return undefined
      if (reply[kPlan].hasItems) return sendItems(value, reply)
      reply.send(value)
      return undefined
    },
    (error: unknown) => {
      if (wasOpen && state.epoch === epoch) reply[kPlan].fail(reply, error)
      else writeLine(reply, 'error', { err: error }, 'the handler failed after the response was sent')
    },
  )
}

/** A promise of `undefined` sends an empty payload, unless the raw response was used. */
function sendNothing(reply: ReplyState): void {
  const exchange = reply[kExchange]
  if (!exchange.headersSent && !exchange.ended) reply.send(undefined)
}
