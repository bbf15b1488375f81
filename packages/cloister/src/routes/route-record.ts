import type { RouteRef } from '@cloister/schema'

import type { Context } from '../context/context.ts'
import type { SchemaServices } from '../context/services.ts'
import type { CallSite } from '../call-site.ts'
import type { RoutePlan } from '../request/route-plan.ts'
import { createError } from '../errors.ts'
import { messageOf } from '../read-error.ts'
import { isRecord, recordOf, type AnyFunction, type Dictionary } from '../guards.ts'
import { settingsOf, type RouteSettings } from '../options/route-options.ts'

/** The parts of a request and its response that have schemas. */
export const SCHEMA_PARTS: readonly string[] = 'body querystring query params headers response'.split(' ')
/** The schemas of messages after an upgrade. */
export const MESSAGES: readonly string[] = ['incoming', 'outgoing']

/** The options of a route as user code wrote them. `onRoute` hooks may change them. */
export type RouteOptions = Record<string, unknown>

/** A checked route definition. Its plan is compiled during the boot. */
export interface RouteRecord {
  readonly method: string
  readonly url: string
  readonly options: RouteOptions
  readonly context: Context
  /** the services that compile its schemas: those of its app, or those that `strict` would use */
  readonly app: SchemaServices
  readonly handler: AnyFunction
  readonly callSite: CallSite
  /** a HEAD route that the framework added for a GET route */
  readonly automatic: boolean
  /** the path with a trailing slash of the route `/` below a prefix; the record of the other path comes first */
  readonly isSecondPath: boolean
  plan: RoutePlan | null
}

/** What the records of one path share. */
export type RouteOrigin = Pick<RouteRecord, 'context' | 'callSite' | 'isSecondPath'>

/** Creates a record. All have one hidden class, because the router reads their plans. */
export function createRecord(
  method: string,
  url: string,
  options: RouteOptions,
  handler: AnyFunction,
  automatic: boolean,
  { context, callSite, isSecondPath }: RouteOrigin,
): RouteRecord {
  const { app } = context
  return { method, url, options, context, app, handler, callSite, automatic, isSecondPath, plan: null }
}

/** Returns the name of a route for messages: `GET /users/:id`. */
export function routeLabel(record: Pick<RouteRecord, 'method' | 'url'>): string {
  return `${record.method} ${record.url}`
}

/**
 * The route of a schema, for errors. Each schema keeps it until it is compiled. Its texts are created on access because
 * only errors need them.
 */
export class RecordRef implements RouteRef {
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

/** Creates the error of a schema that can't be compiled, with its route, part, call site and reason. */
export function failedBuild(
  name: 'SCH_VALIDATION_BUILD' | 'SCH_SERIALIZATION_BUILD',
  record: RouteRecord,
  part: string,
  cause: unknown,
): Error {
  const { method, url, callSite } = record
  return createError(name, { method, url, part, callSite, reason: messageOf(cause) }, { cause })
}

/** Returns a route and where it was defined, for messages. */
export function placeOf(record: RouteRecord): { readonly route: string; readonly callSite: CallSite } {
  return { route: routeLabel(record), callSite: record.callSite }
}

/** Creates the error of a schema, or of settings for it, that a route can't use. */
export function unusableSchema(record: RouteRecord, reason: string, options?: ErrorOptions): Error {
  return createError('SCH_INVALID', { ...placeOf(record), reason }, options)
}

/** Returns an own numeric option of a route. A polluted `Object.prototype` sets nothing. */
export function ownNumber(options: RouteRecord['options'], name: string): number | null {
  const value = Object.hasOwn(options, name) ? options[name] : null
  return typeof value === 'number' ? value : null
}

/** Returns the options of a route, with those of the app as defaults. */
export function routeSettings({ options, app }: RouteRecord): RouteSettings {
  return settingsOf(options, app.options)
}

/** Creates `request.routeOptions`, the options of the route for user code. */
export function publicOptions(record: RouteRecord, isNotFound: boolean): Dictionary {
  const { options, url, context } = record
  const { bodyLimit, handlerTimeout } = routeSettings(record)
  const config = recordOf(options['config'])
  const { constraints, version } = options
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
    constraints,
    version: isRecord(constraints) ? (constraints['version'] ?? version) : version,
  })
}
