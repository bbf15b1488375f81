import { createError } from '../../errors.ts'
import { kState } from '../../symbols.ts'
import type { PlanSerializers, RoutePlan } from '../route-plan.ts'
import type { ReplyState, RequestState } from '../state.ts'
import { writeWarning } from '../write-line.ts'

/**
 * Stage: a response with content has a status that the schemas of its route declare (option `undeclaredStatuses`).
 * Otherwise no schema would filter what it contains.
 *
 * Responses to errors are not those of the route: its error handlers are set for many routes. Neither are those of hooks
 * that respond before the handler: a 401, the 429 of a limit.
 */
export function checkStatus(plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  const { serializers, undeclaredStatuses } = plan
  const { payload, handled, errorDepth } = reply[kState]
  if (serializers === null || payload === undefined || payload === null) return
  if (!handled || errorDepth > 0) return
  const { statusCode: status } = reply
  const responseClass = Math.trunc(status / 100)
  const { byStatus, byClass, fallback } = serializers
  if (byStatus.has(status) || byClass[responseClass] !== undefined || fallback !== null) return
  const details = {
    route: plan.label,
    status,
    declared: namesOf(serializers),
    class: `${responseClass}xx`,
  }
  const error = createError('REP_STATUS_UNDECLARED', details)
  if (undeclaredStatuses === 'error') throw error
  writeWarning(reply, error.message)
}

/** Stage: responses from here on are those of the handler. */
export function expectStatus(_plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  reply[kState].handled = true
}

/** The keys of a response map. */
function namesOf({ byStatus, byClass }: PlanSerializers): string {
  const classes = byClass.flatMap((entry, index) => (entry === undefined ? [] : `${index}xx`))
  return [...byStatus.keys(), ...classes].join(', ') || 'none'
}
