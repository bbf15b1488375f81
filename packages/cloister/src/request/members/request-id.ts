import { createError } from '../../errors.ts'
import { rawRequestOrView } from '../../exchange/request-view.ts'
import { isLate } from '../../functions.ts'
import { logSafely } from '../../logging/request-log.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import type { RequestState } from '../state.ts'

/**
 * Returns the id of a request: the header that `requestIdHeader` names, else the result of `genReqId`, else `req-`
 * and a growing number. If `genReqId` throws, the error is logged and the request gets a generated id.
 */
export function createRequestId(request: RequestState, sequence: number): string {
  const { app, genReqId, context } = request[kPlan]
  const { requestIdHeader } = app.options
  if (requestIdHeader !== false) {
    const sent = request[kExchange].header(requestIdHeader)
    if (sent !== undefined && sent !== '') return sent
  }
  if (genReqId !== null) {
    try {
      const id = genReqId.call(context.instance, rawRequestOrView(request[kExchange]))
      if (isLate(id)) throw createError('CALLBACK_NOT_SYNC', { name: 'genReqId' })
      return String(id)
    } catch (err) {
      logSafely(app, () => app.logger.error({ err }, 'genReqId failed'))
    }
  }
  return `req-${sequence.toString(36)}`
}
