import type { RouteRef } from '@cloister/schema'

import { createError } from '../../errors.ts'
import { messageOf } from '../../read-error.ts'
import type { RouteRecord } from '../route-record.ts'

/** The route of a schema. Its texts are made on access, because only errors need them. */
class RecordRef implements RouteRef {
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

  get callSite(): string {
    return this.#record.callSite.toString()
  }

  get context(): string {
    return this.#record.context.path
  }
}

/** Names the route of a schema for errors. Every schema keeps one of these until it is compiled. */
export function routeRefOf(record: RouteRecord): RouteRef {
  return new RecordRef(record)
}

/** Creates the error of a schema that cannot be compiled: its route, part, call site and reason. */
export function failedBuild(
  name: 'SCH_VALIDATION_BUILD' | 'SCH_SERIALIZATION_BUILD',
  record: RouteRecord,
  part: string,
  cause: unknown,
): Error {
  const reason = messageOf(cause)
  const callSite = record.callSite.toString()
  const { method, url } = record
  return createError(name, { method, url, part, callSite, reason }, { cause })
}
