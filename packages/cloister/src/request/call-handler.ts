import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'
import { settleResult } from './settle-result.ts'
import { handlerChannels, traceHandler } from './trace-handler.ts'

/** Stage: the handler of the route; what it returns or throws becomes the answer. */
export function callHandler(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl): unknown {
  if (handlerChannels.start.hasSubscribers) return traceHandler(plan, request, reply)
  const result = plan.handler(request, reply)
  return result === undefined ? undefined : settleResult(result, reply)
}
