import type { CompileSite } from '@cloister/schema'

import { createError, messageOf } from '../../errors.ts'
import type { RouteRecord } from '../route-record.ts'

/** Where a schema stands, in words that are made when an error asks for them. */
class RouteSite implements CompileSite {
  readonly #record: RouteRecord

  constructor(record: RouteRecord) {
    this.#record = record
  }

  get method(): string {
    return this.#record.method
  }

  get url(): string {
    return this.#record.url
  }

  get place(): string {
    return this.#record.callSite.toString()
  }

  get context(): string {
    return this.#record.context.path
  }
}

/** Where the schemas of a route stand. Every compiled schema keeps one of these until it is compiled. */
export function siteOf(record: RouteRecord): CompileSite {
  return new RouteSite(record)
}

/** The error of a schema that cannot be compiled: its route, part, place and reason. */
export function failedBuild(
  name: 'SCH_VALIDATION_BUILD' | 'SCH_SERIALIZATION_BUILD',
  record: RouteRecord,
  part: string,
  cause: unknown,
): Error {
  const reason = messageOf(cause)
  const callSite = record.callSite.toString()
  const { method, url } = record
  return createError(name, { method, url, part, place: callSite, reason }, { cause })
}
