import { isRecord } from '../../functions.ts'
import type { RouteRecord } from '../route-record.ts'

/** A number that the route sets itself; what something has added to every object of the process sets nothing. */
export function ownNumber(options: RouteRecord['options'], name: string): number | null {
  const value = Object.hasOwn(options, name) ? options[name] : null
  return typeof value === 'number' ? value : null
}

/** The largest body of a route in bytes: its own limit, else that of the app. */
export function bodyLimitOf({ options, context }: RouteRecord): number {
  return ownNumber(options, 'bodyLimit') ?? context.app.options.bodyLimit
}

/** Returns the handler timeout of a route in milliseconds: its own, else that of the app. */
export function handlerTimeoutOf({ options, context }: RouteRecord): number {
  return ownNumber(options, 'handlerTimeout') ?? context.app.options.handlerTimeout
}

/** Returns what happens to responses whose status the route does not declare: its own option, else that of the app. */
export function undeclaredStatusesOf({ options, context }: RouteRecord): 'send' | 'log' | 'error' {
  const own = Object.hasOwn(options, 'undeclaredStatuses') ? options['undeclaredStatuses'] : null
  return own === 'send' || own === 'log' || own === 'error' ? own : context.app.options.undeclaredStatuses
}

/** Creates `request.routeOptions`: the options of the route for user code. */
export function publicOptions(record: RouteRecord, isNotFound: boolean): Readonly<Record<string, unknown>> {
  const { options, url, context } = record
  const config = isRecord(options['config']) ? options['config'] : {}
  const address = isNotFound ? {} : { url, method: options['method'] }
  return Object.freeze({
    ...address,
    bodyLimit: bodyLimitOf(record),
    handlerTimeout: handlerTimeoutOf(record),
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
