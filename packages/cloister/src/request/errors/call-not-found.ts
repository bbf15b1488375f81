import { kPhase, kPlan, kEpoch } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { OPEN } from '../reply-phase.ts'
import type { RoutePlan } from '../route-plan.ts'
import { writeWarning } from '../write-line.ts'
import { runStages } from '../run-stages.ts'

/** Hands a request over to a not-found handler, as if no route had matched: its `preHandler` hooks, then itself. */
export function callNotFound(reply: ReplyState, plan: RoutePlan): void {
  reply[kPlan] = plan
  reply.request[kPlan] = plan
  reply[kPhase] = OPEN
  reply[kEpoch]++
  runStages(plan.notFoundStages, reply)
}

/** A not-found handler that calls the not-found handler would call itself. */
export function refuseNotFound(reply: ReplyState): void {
  writeWarning(reply, 'callNotFound was called where no route is; a plain 404 is sent')
  reply.code(404).send('404 Not Found')
}
