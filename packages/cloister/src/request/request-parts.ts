import { isRecord } from '../functions.ts'
import { kHeaders } from '../symbols.ts'
import type { RequestImpl } from './request.ts'
import type { RequestPart } from './route-plan.ts'

/** The part of a request that a validator is given. */
export function readPart(request: RequestImpl, part: RequestPart): unknown {
  switch (part) {
    case 'params':
      return request.params
    case 'body':
      return request.body
    case 'querystring':
      return request.query
    case 'headers':
      // Validation may coerce and remove: that must not reach the raw headers.
      return { ...request.headers }
  }
}

/** Puts a validated part in the place of the one that came. */
export function writePart(request: RequestImpl, part: RequestPart, value: unknown): void {
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
      if (isRecord(value)) Reflect.set(request, kHeaders, value)
  }
}

/** Headers of a custom validator are laid over those that came: libraries drop what they do not know. */
export function replacePart(request: RequestImpl, part: RequestPart, value: unknown): void {
  if (part === 'headers') Reflect.set(request, 'headers', value)
  else writePart(request, part, value)
}
