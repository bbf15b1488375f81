import { startAlarm } from '../../alarms.ts'
import { createError } from '../../errors.ts'
import { kDeadline, kExchange, kPhase, kPlan } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { HIJACKED } from '../reply-phase.ts'
import { requestSignal } from '../members/extras.ts'
import type { Stage } from '../route-plan.ts'

/**
 * Stage: the response must be complete within `handlerTimeout`. Otherwise `request.signal` fires and the client gets
 * 503, or a response that has begun is cut off. A complete response that has yet to reach the client is in time.
 */
export const startDeadline: Stage = (plan, request, reply) => {
  const exchange = request[kExchange]
  // On platforms without Node a timer belongs to the request in which it was set.
  if (plan.deadlines === null || exchange.node === null) {
    const timer = startAlarm(() => expireReply(reply), plan.handlerTimeout)
    exchange.onFinished(() => clearTimeout(timer))
  } else reply[kDeadline] = plan.deadlines.start(reply)
}

/** Ends a request whose deadline has passed. */
export function expireReply(reply: ReplyState): void {
  if (reply[kExchange].ended) return
  const plan = reply[kPlan]
  const error = createError('HANDLER_TIMEOUT', { ms: plan.handlerTimeout, route: plan.label })
  requestSignal(reply.request).abort(error)
  if (reply[kPhase] !== HIJACKED) plan.fail(reply, error)
}
