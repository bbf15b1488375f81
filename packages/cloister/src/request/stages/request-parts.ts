import { kHeaders } from '../../symbols.ts'
import type { RequestState } from '../state.ts'
import type { RequestPart } from '../route-plan.ts'

/** Replaces a request part by its validated form. */
export function writePart(request: RequestState, part: RequestPart, value: unknown): void {
  switch (part) {
    case 'params':
      request.params = value
      break
    case 'body':
      request.body = value
      break
    case 'querystring':
      request.query = value
      break
    case 'headers':
      Reflect.set(request, kHeaders, value)
  }
}

/**
 * Headers of a custom validator are merged over the original ones, because libraries drop headers that no schema
 * declares.
 */
export function replacePart(request: RequestState, part: RequestPart, value: unknown): void {
  if (part === 'headers') Reflect.set(request, 'headers', value)
  else writePart(request, part, value)
}
