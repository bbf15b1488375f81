import { kExchange, kPlan } from '../symbols.ts'
import type { RequestImpl } from './request.ts'

/**
 * The id of a request: the header that `requestIdHeader` names, else what `genReqId` returns, else `req-` and a
 * growing number.
 */
export function createRequestId(request: RequestImpl, sequence: number): string {
  const { app, genReqId, context } = request[kPlan]
  const { requestIdHeader } = app.options
  if (requestIdHeader !== false) {
    const sent = request[kExchange].header(requestIdHeader)
    if (sent !== undefined && sent !== '') return sent
  }
  return genReqId === null
    ? `req-${sequence.toString(36)}`
    : String(genReqId.call(context.instance, request[kExchange].rawRequest))
}
