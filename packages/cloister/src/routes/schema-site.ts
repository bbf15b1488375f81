import type { CompileSite } from '@cloister/schema'

import { createError, isError } from '../errors.ts'
import type { RouteRecord } from './route-record.ts'

/** Where a schema stands. The place is turned into text only when an error names it. */
export function siteOf({ method, url, place, context }: RouteRecord): CompileSite {
  return {
    method,
    url,
    get place() {
      return place.toString()
    },
    get context() {
      return context.path
    },
  }
}

/** The error of a schema that cannot be compiled: its route, part, place and reason. */
export function failedBuild(
  name: 'SCH_VALIDATION_BUILD' | 'SCH_SERIALIZATION_BUILD',
  record: RouteRecord,
  part: string,
  cause: unknown,
): Error {
  const reason = isError(cause) ? cause.message : String(cause)
  const place = record.place.toString()
  const { method, url } = record
  return createError(name, { method, url, part, place, reason }, { cause })
}
