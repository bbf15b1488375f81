import { kExchange } from '../../symbols.ts'
import { extrasOf } from './request-extras.ts'
import type { RequestState } from '../state.ts'

/**
 * The abort controller of a request, made on first use: it fires when the client goes away before the answer is
 * complete, or when the handler's deadline passes.
 */
export function requestSignal(request: RequestState): AbortController {
  const extras = extrasOf(request)
  if (extras.controller === null) {
    const controller = new AbortController()
    extras.controller = controller
    request[kExchange].onAbort(() => controller.abort())
  }
  return extras.controller
}
