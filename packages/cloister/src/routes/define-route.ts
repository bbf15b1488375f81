import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, recordOf, typeName } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import type { Judge } from '../request/report/judge.ts'
import { checkRouteValues } from '../options/route-options.ts'
import { checkBodySchema, checkUndefined, checkNames, checkParts } from './check-route.ts'
import { warnOfForeignForms, warnOfPath, warnOfUnread } from './warn-of-route.ts'
import type { MethodTable } from './methods.ts'
import {
  createRecord,
  routeLabel,
  MESSAGES,
  SCHEMA_PARTS,
  type RouteOptions,
  type RouteOrigin,
  type RouteRecord,
} from './route-record.ts'
import type { Constraints, RouteTable } from './route-table.ts'
import { createHookEntry } from '../hooks/hook-entry.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'

export interface RoutedApp {
  readonly routes: RouteTable
  readonly methods: MethodTable
  readonly queue: { noteTurn(): void }
  readonly judge: Judge | null
}

/**
 * Defines a route in a context: checks the options, runs the `onRoute` hooks, adds the route under every path that the
 * prefix gives it, and adds a HEAD route for a GET route.
 *
 * @throws any `CLO_ERR_ROUTE_*`, `CLO_ERR_DUPLICATED_ROUTE`, `CLO_ERR_HOOK_INVALID_HANDLER`
 */
export function defineRoute(app: RoutedApp, context: Context, given: unknown, callSite: CallSite): void {
  if (!isRecord(given)) throw createError('ROUTE_OPTIONS_NOT_OBJ', { route: `app.route(${typeName(given)})` })
  const { routes, methods } = app
  const methodNames = [given['method']].flat().map((method) => methods.check(method))
  const path = readPath(given)
  const label = `${methodNames.join(',')}:${path}`
  warnOfPath(path, label, callSite)
  const defined = { given, route: label, context, judged: app.judge?.options ?? null, callSite }
  const refusals = [...checkNames(defined), ...checkUndefined(defined)]
  checkRouteValues(given, label)
  const { schema } = given
  if (isRecord(schema)) {
    checkParts(schema, defined)
    warnOfForeignForms(schema, defined)
    refuseNull(schema, label, callSite)
    if (schema['body'] !== undefined) checkBodySchema(label, methodNames, methods)
  }
  if (given['upgrade'] != null && methodNames.some((name) => name !== 'GET')) {
    const problem = "'upgrade' is for GET routes: a body would be read as what follows the upgrade"
    throw createError('ROUTE_OPTION_INVALID', { route: label, problem })
  }
  const handler = given['handler']
  if (handler == null) throw createError('ROUTE_MISSING_HANDLER', { route: label })
  if (!isFunction(handler)) throw createError('ROUTE_HANDLER_NOT_FN', { what: 'Handler', route: label })

  const method = Array.isArray(given['method']) ? methodNames : methodNames[0]
  const exposed = given['exposeHeadRoute'] ?? context.app.options.exposeHeadRoutes
  const isExposed = exposed === true && methodNames.includes('GET') && !methodNames.includes('HEAD')
  // The two paths of a prefixed `/` are one route with one object of options. `onRoute` hooks run for the first path;
  // a plugin that keeps the object finds the second path in it later, as in Fastify.
  const options: RouteOptions = { ...given, method }
  for (const refusal of refusals) app.judge?.addProblem(options, refusal)
  const paths = pathsFor(context, path, given['prefixTrailingSlash'], methodNames)
  for (const [index, tail] of paths.entries()) {
    const origin = { context, callSite, isSecondPath: index > 0 }
    const placed = placement(context, given, tail)
    if (index === 0) {
      Object.assign(options, placed)
      if (runOnRoute(context, options)) {
        refuseNull(options['schema'], label, callSite)
        checkRouteValues(options, label)
      }
      checkRouteHooks(options, label, callSite, context)
    } else Object.assign(options, addressOf(context, tail))
    app.queue.noteTurn()
    const constraints = constraintsOf(options)
    const current = isFunction(options['handler']) ? options['handler'] : handler
    for (const name of methodNames) {
      const record = createRecord(name, String(options['url']), options, current, false, origin)
      checkLogLevel(record)
      routes.add(record, constraints)
    }
    if (isExposed) addHeadRoute(app, { ...given, ...placed, method: 'HEAD' }, constraints, origin)
  }
}

/** Adds a HEAD route for a GET route (RFC 9110 section 9.3.2), unless the application defines its own. */
function addHeadRoute(
  { routes, queue }: RoutedApp,
  options: RouteOptions,
  constraints: Constraints,
  origin: RouteOrigin,
): void {
  const url = String(options['url'])
  if (routes.lookup('HEAD', url, constraints) !== null) return
  runOnRoute(origin.context, options)
  queue.noteTurn()
  const { handler } = options
  if (isFunction(handler)) routes.add(createRecord('HEAD', url, options, handler, true, origin), constraints)
}

function placement(context: Context, given: RouteOptions, tail: string): RouteOptions {
  return {
    ...addressOf(context, tail),
    prefix: context.prefix,
    logLevel: given['logLevel'] ?? context.logLevel,
    attachValidation: given['attachValidation'] ?? false,
  }
}

function addressOf(context: Context, tail: string): { url: string; path: string; routePath: string } {
  const url = joinPrefix(context, tail)
  return { url, path: url, routePath: tail }
}

function readPath(given: RouteOptions): string {
  const path = given['url'] ?? given['path'] ?? ''
  if (typeof path !== 'string') throw createError('INVALID_URL', { type: typeName(path) })
  return path
}

/**
 * Returns the paths of a route below a prefix. `/` means the prefix both with and without a slash, unless
 * `prefixTrailingSlash` says otherwise.
 */
function pathsFor(context: Context, path: string, slash: unknown, methods: readonly string[]): string[] {
  const { prefix } = context
  const { ignoreTrailingSlash } = context.app.options
  if (path !== '/' || prefix === '' || (methods.length === 1 && methods[0] === 'HEAD')) return [path]
  if (slash === 'slash') return [path]
  if (slash === 'no-slash') return ['']
  return ignoreTrailingSlash || prefix.endsWith('/') ? [''] : ['', path]
}

/** Appends a path to the prefix of a context. */
export function joinPrefix({ prefix }: Context, path: string): string {
  return prefix.endsWith('/') && path.startsWith('/') ? prefix + path.slice(1) : prefix + path
}

/** Runs the `onRoute` hooks, which may change the options; returns whether there are any. */
function runOnRoute(context: Context, options: RouteOptions): boolean {
  const hooks = context.hooksInForce('onRoute')
  for (const { fn } of hooks) fn.call(context.instance, options)
  return hooks.length > 0
}

/** Returns the constraints of a route, including its version. */
export function constraintsOf(options: RouteOptions): Constraints {
  const { version, constraints } = options
  return { ...recordOf(constraints), ...(version === undefined ? {} : { version }) }
}

/**
 * Returns the route options of a shortcut call: `(path, handler)` or `(path, options, handler)`. The options may
 * contain the handler.
 *
 * @throws `CLO_ERR_INVALID_URL`, `CLO_ERR_ROUTE_MISSING_HANDLER`, `CLO_ERR_ROUTE_OPTIONS_NOT_OBJ`,
 * `CLO_ERR_ROUTE_DUPLICATED_HANDLER`
 */
export function shortcutOptions(
  method: string | string[],
  path: unknown,
  second: unknown,
  third: unknown,
): Record<string, unknown> {
  if (typeof path !== 'string') throw createError('INVALID_URL', { type: typeName(path) })
  const route = `${[method].flat().join(',')}:${path}`
  if (third === undefined && isFunction(second)) return { method, url: path, handler: second }
  if (!isRecord(second)) {
    if (second === undefined) throw createError('ROUTE_MISSING_HANDLER', { route })
    throw createError('ROUTE_OPTIONS_NOT_OBJ', { route: `${route} (got ${typeName(second)})` })
  }
  if (third !== undefined && second['handler'] !== undefined)
    throw createError('ROUTE_DUPLICATED_HANDLER', { route })
  warnOfUnread(second, route, { method, path, url: path })
  return { ...second, method, url: path, handler: third ?? second['handler'] }
}

/** Refuses a part whose schema is `null`, such as a look-up that has found nothing: it would not be validated. */
function refuseNull(schema: unknown, route: string, callSite: CallSite): void {
  if (!isRecord(schema)) return
  const part = [...SCHEMA_PARTS, ...MESSAGES].find((name) => schema[name] === null)
  if (part === undefined) return
  const reason = `'${part}' is null, so it would not be checked; give it a schema, or remove it`
  throw createError('SCH_INVALID', { route, reason, callSite })
}

/** Checks the hooks of a route like those of a context, after the `onRoute` hooks that may add some. */
export function checkRouteHooks(
  options: RouteOptions,
  route: string,
  callSite: CallSite,
  context: Context,
): void {
  for (const name of REQUEST_HOOK_NAMES) {
    const own = options[name]
    if (own === undefined) continue
    for (const fn of [own].flat()) createHookEntry(name, fn, callSite, context, ` (in the route ${route})`)
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
