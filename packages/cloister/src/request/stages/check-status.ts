import { parseMediaType } from '../../body/media-type.ts'
import { createError } from '../../errors.ts'
import { kState } from '../../symbols.ts'
import { isResponse } from '../payload-kind.ts'
import type { PlanSerializers, RoutePlan } from '../route-plan.ts'
import type { ReplyState, RequestState } from '../state.ts'
import { writeWarning } from '../write-line.ts'
import { serializersFor } from './serialize-payload.ts'

/**
 * Stage: checks that the schemas of the route declare the status of a response with content (option
 * `undeclaredStatuses`), and its media type if they have a content map. Otherwise no schema would filter the content.
 *
 * Does not check responses to errors, because error handlers serve many routes, nor those of hooks that respond before
 * the handler, such as a 401 or 429.
 */
export function checkStatus(plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  const { serializers, undeclaredStatuses } = plan
  const { payload, handled, errorDepth } = reply[kState]
  if (serializers === null || payload === undefined || payload === null) return
  if (!handled || errorDepth > 0) return
  const error = findUndeclared(plan, serializers, reply, payload)
  if (error === null) return
  if (undeclaredStatuses === 'error') throw error
  writeWarning(reply, error.message)
}

function findUndeclared(
  { label: route }: RoutePlan,
  serializers: PlanSerializers,
  reply: ReplyState,
  payload: unknown,
): Error | null {
  const web = typeof payload === 'object' && payload !== null && isResponse(payload) ? payload : null
  if (web?.body === null) return null
  const status = web?.status ?? reply.statusCode
  const entry = serializersFor(serializers, status)
  if (entry === null) {
    const details = { declared: namesOf(serializers), class: `${Math.trunc(status / 100)}xx` }
    return createError('REP_STATUS_UNDECLARED', { route, status, ...details })
  }
  const { byMediaType } = entry
  if (byMediaType === null || byMediaType.has('*/*')) return null
  const type = web === null ? reply.getHeader('content-type') : web.headers.get('content-type')
  const { essence } = parseMediaType(typeof type === 'string' ? type : undefined)
  if (byMediaType.has(essence)) return null
  const declared = [...byMediaType.keys()].join(', ')
  return createError('REP_MEDIA_TYPE_UNDECLARED', { route, status, type: essence || 'none', declared })
}

/** Stage: marks that responses are those of the handler from now on. */
export function expectStatus(_plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  reply[kState].handled = true
}

/** The keys of a response map. */
function namesOf({ byStatus, byClass }: PlanSerializers): string {
  const classes = byClass.flatMap((entry, index) => (entry === undefined ? [] : `${index}xx`))
  return [...byStatus.keys(), ...classes].join(', ') || 'none'
}
