import type { RouteRef } from '@cloister/schema'

import type { Context } from '../context/context.ts'
import type { CallSite } from '../call-site.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { createError } from '../errors.ts'
import { messageOf } from '../read-error.ts'
import { isRecord, type AnyFunction } from '../guards.ts'
import { settingsOf, type RouteSettings } from '../options/route-options.ts'

/** The options of a route as user code gave them; `onRoute` hooks may still change them. */
export type RouteOptions = Record<string, unknown>

/** A route as it was defined, checked; its plan is made when the app is ready. */
export interface RouteRecord {
  readonly method: string
  /** full path, prefix included */
  readonly url: string
  readonly options: RouteOptions
  readonly context: Context
  readonly handler: AnyFunction
  readonly callSite: CallSite
  /** a HEAD route that the framework made beside a GET route */
  readonly automatic: boolean
  /** the path with a slash of the route `/` below a prefix; the record of the path without one comes before */
  readonly isSecondPath: boolean
  plan: RoutePlan | null
}

/** `GET /users/:id`, for messages. */
export function routeLabel(record: Pick<RouteRecord, 'method' | 'url'>): string {
  return `${record.method} ${record.url}`
}

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

/** Creates the error of a schema or of its settings that a route cannot have. */
export function unusableSchema(record: RouteRecord, reason: string): Error {
  return createError('SCH_INVALID', {
    route: routeLabel(record),
    callSite: record.callSite.toString(),
    reason,
  })
}

/** A number that the route sets itself; what something has added to every object of the process sets nothing. */
export function ownNumber(options: RouteRecord['options'], name: string): number | null {
  const value = Object.hasOwn(options, name) ? options[name] : null
  return typeof value === 'number' ? value : null
}

/** The options that a route has from itself or from the app. */
export function routeSettings({ options, context }: RouteRecord): RouteSettings {
  return settingsOf(options, context.app.options)
}

/** Creates `request.routeOptions`: the options of the route for user code. */
export function publicOptions(record: RouteRecord, isNotFound: boolean): Readonly<Record<string, unknown>> {
  const { options, url, context } = record
  const { bodyLimit, handlerTimeout } = routeSettings(record)
  const config = isRecord(options['config']) ? options['config'] : {}
  const address = isNotFound ? {} : { url, method: options['method'] }
  return Object.freeze({
    ...address,
    bodyLimit,
    handlerTimeout,
    attachValidation: options['attachValidation'] === true,
    logLevel: options['logLevel'] ?? context.logLevel,
    exposeHeadRoute: options['exposeHeadRoute'] ?? context.app.options.exposeHeadRoutes,
    prefixTrailingSlash: options['prefixTrailingSlash'] ?? 'both',
    handler: record.handler,
    config: { ...config, ...address },
    schema: options['schema'],
    constraints: options['constraints'],
    version: versionOf(options),
  })
}

function versionOf({ constraints, version }: RouteRecord['options']): unknown {
  return isRecord(constraints) ? (constraints['version'] ?? version) : version
}
