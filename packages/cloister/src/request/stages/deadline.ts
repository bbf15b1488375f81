import { startAlarm } from '../../alarms.ts'
import { createError } from '../../errors.ts'
import { kDeadline, kExchange, kPhase, kPlan, kStartTime } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { HIJACKED } from '../reply-phase.ts'
import { requestSignal } from '../members/extras.ts'
import type { Stage } from '../route-plan.ts'

/**
 * Stage: the head of the response must be out within `handlerTimeout`. Otherwise `request.signal` fires and the client
 * gets 503.
 */
export const startDeadline: Stage = (plan, request, reply) => {
  const exchange = request[kExchange]
  // On platforms without Node a timer belongs to the request in which it was set.
  if (plan.deadlines === null || exchange.node === null) {
    const timer = startAlarm(() => expireReply(reply), plan.handlerTimeout)
    exchange.onFinished(() => clearTimeout(timer))
  } else reply[kDeadline] = plan.deadlines.start(reply, reply[kStartTime])
}

/** Ends a request whose deadline has passed. */
export function expireReply(reply: ReplyState): void {
  const { headersSent, ended } = reply[kExchange]
  if (headersSent || ended) return
  const plan = reply[kPlan]
  const error = createError('HANDLER_TIMEOUT', { ms: plan.handlerTimeout, route: plan.label })
  requestSignal(reply.request).abort(error)
  if (reply[kPhase] !== HIJACKED) plan.fail(reply, error)
}
