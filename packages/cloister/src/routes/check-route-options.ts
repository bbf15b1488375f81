import { createHookEntry } from '../hooks/hook-entry.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import { createError } from '../errors.ts'
import { isRecord } from '../guards.ts'
import { warn } from '../logging/warnings.ts'
import { ROUTE_OPTIONS, checkRouteValues } from '../options/route-options.ts'
import { nearestName } from '../suggest.ts'
import type { Context } from '../context/context.ts'
import type { CallSite } from '../call-site.ts'
import type { MethodTable } from './methods.ts'
import { routeLabel, type RouteOptions, type RouteRecord } from './route-record.ts'

const KNOWN: readonly string[] = [...ROUTE_OPTIONS, ...REQUEST_HOOK_NAMES]

const SCHEMA_PARTS: readonly string[] = ['body', 'querystring', 'query', 'params', 'headers', 'response']

export interface UncheckedRoute {
  /** `GET,POST:/users`, for messages */
  readonly label: string
  readonly methodNames: readonly string[]
  readonly methods: MethodTable
  readonly callSite: CallSite
  readonly context: Context
}

/** Returns the names of route options that the framework does not read. */
export function pluginOptions(options: RouteOptions): string[] {
  return Object.keys(options).filter((name) => !KNOWN.includes(name) && !PLACEMENT.includes(name))
}

/** Options that the framework adds for `onRoute` hooks, which may pass them on when they define further routes. */
const PLACEMENT: readonly string[] = ['routePath', 'prefix']

/**
 * Checks the options of a route before its `onRoute` hooks run.
 *
 * @throws any `CLO_ERR_ROUTE_*` for an option, `CLO_ERR_SETTING_NOT_FN`
 */
export function checkRouteOptions(given: RouteOptions, route: UncheckedRoute): void {
  checkNames(given, route)
  checkRouteValues(given, route.label)
  checkBodySchema(given, route)
  warnOfMissingSchemas(given, route)
}

const OF_PLUGIN =
  '; if a plugin reads it, register the plugin before, or name it in the option unknownRouteOptions of the app'

/**
 * Rejects a name that is similar to an option, because the framework would ignore it. Other names belong to plugins.
 */
function checkNames(given: RouteOptions, { label: route, context }: UncheckedRoute): void {
  const { unknownRouteOptions: unknown } = context.app.options
  const ofPlugins: readonly string[] = typeof unknown === 'string' ? [] : unknown
  const brought = context.lineage().flatMap(({ routeOptions }) => [...routeOptions])
  const allowed = [...PLACEMENT, ...ofPlugins, ...brought]
  for (const name of Object.keys(given)) {
    if (KNOWN.includes(name) || allowed.includes(name)) continue
    const hint = nearestName(name, KNOWN, 1) || (unknown === 'allow' ? '' : OF_PLUGIN)
    if (hint !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route, name, nearest: hint })
  }
  // A misspelt part would leave its requests unvalidated.
  for (const name of isRecord(given['schema']) ? Object.keys(given['schema']) : []) {
    const nearest = SCHEMA_PARTS.includes(name) ? '' : nearestName(name, SCHEMA_PARTS, 1)
    if (nearest !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route, name: `schema.${name}`, nearest })
  }
}

/** A schema for a body that is never read would validate nothing. */
function checkBodySchema({ schema }: RouteOptions, { label, methodNames, methods }: UncheckedRoute): void {
  if (!isRecord(schema) || schema['body'] === undefined) return
  const isBodiless = (name: string): boolean =>
    (name === 'GET' || name === 'HEAD') && methods.bodyRule(name) === 'never'
  if (methodNames.some(isBodiless))
    throw createError('ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED', { route: label })
}

/** Warns about `schema: { body: undefined }`, which happens with a misspelt import. */
function warnOfMissingSchemas({ schema }: RouteOptions, { label, callSite }: UncheckedRoute): void {
  if (!isRecord(schema)) return
  for (const part of SCHEMA_PARTS) {
    if (part === 'response' || !(part in schema) || schema[part] != null) continue
    warn('SCHEMA_MISSING', { route: label, part, what: String(schema[part]), callSite: callSite.toString() })
  }
}

/** Checks the hooks of a route like those of a context, after the `onRoute` hooks that may add some. */
export function checkRouteHooks(options: RouteOptions, callSite: CallSite, context: Context): void {
  for (const name of REQUEST_HOOK_NAMES) {
    const own = options[name]
    if (own === undefined) continue
    for (const fn of [own].flat()) createHookEntry(name, fn, callSite, context)
  }
}

/** A logger throws if its level is unknown. This check throws at boot instead of at the first request. */
export function checkLogLevel(record: RouteRecord): void {
  const { logLevel } = record.options
  const levels: unknown = Reflect.get(record.context.app.logger, 'levels')
  if (typeof logLevel !== 'string' || logLevel === '' || logLevel === 'silent' || !isRecord(levels)) return
  const { values } = levels
  if (isRecord(values) && !(logLevel in values)) {
    throw createError('ROUTE_LOG_LEVEL_INVALID', { route: routeLabel(record), level: logLevel })
  }
}
