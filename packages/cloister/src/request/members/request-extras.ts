import { kExtras } from '../../symbols.ts'
import type { RequestImpl } from '../request.ts'

/** What few requests need, made on first use so that all others stay small. */
export interface RequestExtras {
  controller: AbortController | null
  originalUrl: string | null
}

/** The rarely used members of a request, made on first use. */
export function extrasOf(request: RequestImpl): RequestExtras {
  return (request[kExtras] ??= { controller: null, originalUrl: null })
}
