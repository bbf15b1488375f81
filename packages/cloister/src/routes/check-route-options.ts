import { createHookEntry } from '../hooks/table.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../functions.ts'
import { warn } from '../logging/warnings.ts'
import { LONGEST_DELAY_MS } from '../options/kinds.ts'
import { nearestName } from '../suggest.ts'
import type { AppOptions } from '../options/app-options.ts'
import type { CallSite } from '../call-site.ts'
import type { MethodTable } from './methods.ts'
import { routeLabel } from './route-record.ts'
import type { RouteOptions, RouteRecord } from './route-record.ts'

/** Options of a route that the framework reads; plugins may bring others. */
const KNOWN: readonly string[] = [
  'method',
  'url',
  'path',
  'handler',
  'schema',
  'attachValidation',
  'exposeHeadRoute',
  'prefixTrailingSlash',
  'bodyLimit',
  'handlerTimeout',
  'logLevel',
  'logSerializers',
  'config',
  'constraints',
  'version',
  'errorHandler',
  'childLoggerFactory',
  'schemaErrorFormatter',
  'validatorCompiler',
  'serializerCompiler',
  'serialization',
  'validateResponses',
  'undeclaredStatuses',
  'requireSchemas',
  ...REQUEST_HOOK_NAMES,
]

const SCHEMA_PARTS: readonly string[] = ['body', 'querystring', 'query', 'params', 'headers', 'response']

/** A route whose options are being checked. */
export interface UncheckedRoute {
  /** `GET,POST:/users`, for messages */
  readonly label: string
  readonly methodNames: readonly string[]
  readonly methods: MethodTable
  readonly callSite: CallSite
  /** the option `unknownRouteOptions` of the app */
  readonly unknown: AppOptions['unknownRouteOptions']
}

/** Options that the framework adds for `onRoute` hooks, which may define further routes with them. */
const PLACEMENT: readonly string[] = ['routePath', 'prefix']
/** Options that are one of several words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  validateResponses: ['needed', 'always', 'never'],
  undeclaredStatuses: ['send', 'log', 'error'],
}

/**
 * Checks the options of a route as they were given, before any `onRoute` hook has seen them.
 *
 * @throws every `CLO_ERR_ROUTE_*` that is about an option, `CLO_ERR_SETTING_NOT_FN`
 */
export function checkRouteOptions(given: RouteOptions, route: UncheckedRoute): void {
  checkNames(given, route)
  checkValues(given, route.label)
  checkBodySchema(given, route)
  warnOfMissingSchemas(given, route)
}

const OF_PLUGIN = '; if a plugin reads it, name it in the option unknownRouteOptions of the app'

/** A name that is nearly one of ours would be an option that does nothing; others are those of plugins. */
function checkNames(given: RouteOptions, { label: route, unknown }: UncheckedRoute): void {
  const ofPlugins: readonly string[] = typeof unknown === 'string' ? [] : unknown
  const allowed = [...PLACEMENT, ...ofPlugins]
  for (const name of Object.keys(given)) {
    if (KNOWN.includes(name) || allowed.includes(name)) continue
    const hint = nearestName(name, KNOWN, 1) || (unknown === 'allow' ? '' : OF_PLUGIN)
    if (hint !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route, name, nearest: hint })
  }
  // A part under a name that is slightly wrong would leave its requests unvalidated.
  for (const name of isRecord(given['schema']) ? Object.keys(given['schema']) : []) {
    const nearest = SCHEMA_PARTS.includes(name) ? '' : nearestName(name, SCHEMA_PARTS, 1)
    if (nearest !== '') throw createError('ROUTE_OPTION_UNKNOWN', { route, name: `schema.${name}`, nearest })
  }
}

function checkWord(name: string, given: unknown, words: readonly string[], route: string): void {
  if (given == null || words.some((word) => word === given)) return
  const quoted = words.map((word) => `'${word}'`)
  const value = JSON.stringify(given) ?? typeName(given)
  const problem = `'${name}' must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}, got ${value}`
  throw createError('ROUTE_OPTION_INVALID', { route, problem })
}

function checkValues(given: RouteOptions, route: string): void {
  const { bodyLimit, handlerTimeout, errorHandler } = given
  for (const [name, words] of Object.entries(WORDS)) checkWord(name, given[name], words, route)
  if (bodyLimit != null && !isPositiveInteger(bodyLimit)) {
    throw createError('ROUTE_BODY_LIMIT_OPTION_NOT_INT', { value: String(bodyLimit) })
  }
  if (
    handlerTimeout != null &&
    !(isPositiveInteger(handlerTimeout) && Number(handlerTimeout) <= LONGEST_DELAY_MS)
  ) {
    throw createError('ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT', { value: String(handlerTimeout) })
  }
  if (errorHandler != null && !isFunction(errorHandler)) {
    throw createError('ROUTE_HANDLER_NOT_FN', { what: 'Error Handler', route })
  }
  for (const option of ['validatorCompiler', 'serializerCompiler', 'schemaErrorFormatter']) {
    const fn = given[option]
    if (fn == null || isFunction(fn)) continue
    throw createError('SETTING_NOT_FN', { name: `${option} of ${route}`, type: typeName(fn) })
  }
}

const isPositiveInteger = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0

/** A schema for a body that is never read would validate nothing. */
function checkBodySchema({ schema }: RouteOptions, { label, methodNames, methods }: UncheckedRoute): void {
  if (!isRecord(schema) || schema['body'] === undefined) return
  const isBodiless = (name: string): boolean =>
    (name === 'GET' || name === 'HEAD') && methods.bodyRule(name) === 'never'
  if (methodNames.some(isBodiless))
    throw createError('ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED', { route: label })
}

/** A part whose schema was imported under a wrong name, say, is there and has none. */
function warnOfMissingSchemas({ schema }: RouteOptions, { label, callSite }: UncheckedRoute): void {
  if (!isRecord(schema)) return
  for (const part of SCHEMA_PARTS) {
    if (part === 'response' || !(part in schema) || schema[part] != null) continue
    warn('SCHEMA_MISSING', { route: label, part, what: String(schema[part]), callSite: callSite.toString() })
  }
}

/** Hooks of the route are checked like those of a context, after `onRoute` may have added some. */
export function checkRouteHooks(options: RouteOptions, callSite: CallSite): void {
  for (const name of REQUEST_HOOK_NAMES) {
    const own = options[name]
    if (own === undefined) continue
    for (const fn of [own].flat()) createHookEntry(name, fn, callSite)
  }
}

/** A logger throws at a level that it does not have: better now than at the first request. */
export function checkLogLevel(record: RouteRecord): void {
  const { logLevel } = record.options
  const levels: unknown = Reflect.get(record.context.app.logger, 'levels')
  if (typeof logLevel !== 'string' || logLevel === '' || logLevel === 'silent' || !isRecord(levels)) return
  const { values } = levels
  if (isRecord(values) && !(logLevel in values)) {
    throw createError('ROUTE_LOG_LEVEL_INVALID', { route: routeLabel(record), level: logLevel })
  }
}
