import { kExtras } from '../../symbols.ts'
import type { RequestExtras, RequestState } from '../state.ts'

/** The rarely used members of a request, made on first use. */
export function extrasOf(request: RequestState): RequestExtras {
  return (request[kExtras] ??= { controller: null, originalUrl: null })
}
