import { createError, isError } from '../errors.ts'
import { kPayload } from '../symbols.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'
import type { RoutePlan } from './route-plan.ts'
import { serializeValue } from './serialize-value.ts'

/** Stage: the payload, a value, becomes text. */
export function serializePayload(plan: RoutePlan, _request: RequestImpl, reply: ReplyImpl): void {
  try {
    reply[kPayload] = serializeValue(reply, reply[kPayload])
  } catch (cause) {
    throw describeFailure(cause, plan, reply)
  }
}

/** Names the route and status in a serializer's error, and keeps what it says. */
function describeFailure(cause: unknown, plan: RoutePlan, reply: ReplyImpl): Error {
  if (isError(cause)) return Object.assign(cause, { serialization: plan.routeOptions['config'] })
  return createError(
    'FAILED_SERIALIZATION',
    { route: plan.label, status: reply.statusCode, reason: String(cause) },
    { cause },
  )
}
