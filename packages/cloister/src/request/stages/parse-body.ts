import { isThenable } from '../../functions.ts'
import { kBodyBytes, kBodyStream, kParser } from '../../symbols.ts'
import type { ReplyImpl } from '../reply.ts'
import type { RequestImpl } from '../request.ts'
import type { RoutePlan } from '../route-plan.ts'

/** Stage: the chosen parser turns bytes, text or stream into `request.body`. */
export function parseBody(_plan: RoutePlan, request: RequestImpl, _reply: ReplyImpl): unknown {
  const parser = request[kParser]
  if (parser === null) return undefined
  const input = parser.parseAs === null ? request[kBodyStream] : request[kBodyBytes]
  request[kBodyBytes] = null
  const body = parser.parse(request, input)
  // The framework's own parsers answer at once.
  if (parser.isDefault || !isThenable(body)) {
    request.body = body
    return undefined
  }
  return body.then((value) => {
    request.body = value
  })
}
