import { kExchange, kState } from '../../symbols.ts'
import type { RequestState } from '../state.ts'

/**
 * Returns the abort controller of a request, created on first use. It aborts when the client disconnects before the
 * response is complete, or when the handler's deadline passes.
 */
export function requestSignal(request: RequestState): AbortController {
  const state = request[kState]
  if (state.controller !== null) return state.controller
  const controller = new AbortController()
  state.controller = controller
  const exchange = request[kExchange]
  // `onAbort` would call back later, but the signal must be aborted now.
  if (exchange.aborted) controller.abort()
  else exchange.onAbort(() => controller.abort())
  return controller
}
