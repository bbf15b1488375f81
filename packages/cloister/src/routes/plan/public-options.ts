import { isRecord } from '../../guards.ts'
import { settingsOf } from '../../options/route-options.ts'
import type { RouteSettings } from '../../options/route-options.ts'
import type { RouteRecord } from '../route-record.ts'

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
