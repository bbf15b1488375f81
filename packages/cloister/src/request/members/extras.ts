import { kExchange, kExtras } from '../../symbols.ts'
import type { RequestExtras, RequestState } from '../state.ts'

/** Returns the rarely used members of a request, made on first use. */
export function extrasOf(request: RequestState): RequestExtras {
  return (request[kExtras] ??= { controller: null, originalUrl: null })
}

/**
 * Returns the abort controller of a request, made on first use. It fires when the client goes away before the response
 * is complete, or when the handler's deadline passes.
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
