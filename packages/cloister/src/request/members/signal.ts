import { kExchange, kState } from '../../symbols.ts'
import type { RequestState } from '../state.ts'

/**
 * Returns the abort controller of a request, made on first use. It fires when the client goes away before the response
 * is complete, or when the handler's deadline passes.
 */
export function requestSignal(request: RequestState): AbortController {
  const state = request[kState]
  if (state.controller !== null) return state.controller
  const controller = new AbortController()
  state.controller = controller
  request[kExchange].onAbort(() => controller.abort())
  return controller
}
