import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { checkRouteValues } from '../options/route-options.ts'
import { checkLogLevel, checkRouteHooks, checkRouteOptions } from './check-route-options.ts'
import type { MethodTable } from './methods.ts'
import type { RouteOptions, RouteRecord } from './route-record.ts'
import type { Constraints, RouteTable } from './route-table.ts'

export interface RoutedApp {
  readonly routes: RouteTable
  readonly methods: MethodTable
}

/**
 * Defines a route in a context: checks the options, runs the `onRoute` hooks, adds the route under every path that the
 * prefix gives it, and adds a HEAD route for a GET route.
 *
 * @throws any `CLO_ERR_ROUTE_*`, `CLO_ERR_DUPLICATED_ROUTE`, `CLO_ERR_HOOK_INVALID_HANDLER`
 */
export function defineRoute(app: RoutedApp, context: Context, given: unknown, callSite: CallSite): void {
  if (!isRecord(given)) throw createError('ROUTE_OPTIONS_NOT_OBJ', { route: typeName(given) })
  const { routes, methods } = app
  const methodNames = [given['method']].flat().map((method) => methods.check(method))
  const path = readPath(given)
  const label = `${methodNames.join(',')}:${path}`
  checkRouteOptions(given, { label, methodNames, methods, callSite, context })
  const handler = given['handler']
  if (handler == null) throw createError('ROUTE_MISSING_HANDLER', { route: label })
  if (!isFunction(handler)) throw createError('ROUTE_HANDLER_NOT_FN', { what: 'Handler', route: label })

  const method = Array.isArray(given['method']) ? methodNames : methodNames[0]
  let seen: RouteOptions | null = null
  for (const tail of pathsFor(context, path, given, methodNames)) {
    // The second path of a prefixed `/` belongs to the same route, so it keeps the changes of the `onRoute` hooks.
    const isSecondPath = seen !== null
    const options: RouteOptions = { ...(seen ?? given), ...placement(context, given, tail), method }
    if (seen === null) runOnRoute(context, options)
    seen ??= options
    checkRouteHooks(options, callSite, context)
    checkRouteValues(options, label)
    const constraints = constraintsOf(options)
    for (const name of methodNames) {
      const record: RouteRecord = {
        method: name,
        url: String(options['url']),
        options,
        context,
        handler: readHandler(options, handler),
        callSite,
        automatic: false,
        isSecondPath,
        plan: null,
      }
      checkLogLevel(record)
      routes.add(record, constraints)
    }
    addHeadRoute(app, { context, given, methodNames, callSite, tail, isSecondPath }, constraints)
  }
}

function placement(context: Context, given: RouteOptions, tail: string): RouteOptions {
  const url = joinPrefix(context, tail)
  return {
    url,
    path: url,
    routePath: tail,
    prefix: context.prefix,
    logLevel: given['logLevel'] ?? context.logLevel,
    attachValidation: given['attachValidation'] ?? false,
  }
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
function pathsFor(
  context: Context,
  path: string,
  given: RouteOptions,
  methods: readonly string[],
): readonly string[] {
  const { prefix } = context
  const { ignoreTrailingSlash } = context.app.options
  if (path !== '/' || prefix === '' || (methods.length === 1 && methods[0] === 'HEAD')) return [path]
  if (given['prefixTrailingSlash'] === 'slash') return [path]
  if (given['prefixTrailingSlash'] === 'no-slash') return ['']
  return ignoreTrailingSlash || prefix.endsWith('/') ? [''] : ['', path]
}

/** Appends a path to the prefix of a context. */
export function joinPrefix({ prefix }: Context, path: string): string {
  return prefix.endsWith('/') && path.startsWith('/') ? prefix + path.slice(1) : prefix + path
}

function runOnRoute(context: Context, options: RouteOptions): void {
  for (const { fn } of context.hooksInForce('onRoute')) fn.call(context.instance, options)
}

function readHandler(options: RouteOptions, handler: AnyFunction): AnyFunction {
  const current = options['handler']
  return isFunction(current) ? current : handler
}

/** Returns the constraints of a route, including its version. */
export function constraintsOf(options: RouteOptions): Constraints {
  const { version, constraints } = options
  return { ...(isRecord(constraints) ? constraints : {}), ...(version === undefined ? {} : { version }) }
}

interface Given {
  readonly context: Context
  readonly given: RouteOptions
  readonly methodNames: readonly string[]
  readonly callSite: CallSite
  readonly tail: string
  readonly isSecondPath: boolean
}

/** Adds a HEAD route for a GET route (RFC 9110 section 9.3.2), unless the application defines its own. */
function addHeadRoute({ routes }: RoutedApp, route: Given, constraints: Constraints): void {
  const { context, given, methodNames, callSite, tail, isSecondPath } = route
  const exposed = given['exposeHeadRoute'] ?? context.app.options.exposeHeadRoutes
  if (exposed !== true || !methodNames.includes('GET') || methodNames.includes('HEAD')) return
  const url = joinPrefix(context, tail)
  if (routes.lookup('HEAD', url, constraints) !== null) return
  const options: RouteOptions = { ...given, ...placement(context, given, tail), method: 'HEAD' }
  runOnRoute(context, options)
  const handler = options['handler']
  if (!isFunction(handler)) return
  const origin = { context, callSite, automatic: true, isSecondPath }
  routes.add({ method: 'HEAD', url, options, handler, plan: null, ...origin }, constraints)
}

/**
 * Returns the route options of a shortcut call: `(path, handler)` or `(path, options, handler)`. The options may
 * contain the handler.
 *
 * @throws `CLO_ERR_ROUTE_MISSING_HANDLER`, `CLO_ERR_ROUTE_OPTIONS_NOT_OBJ`, `CLO_ERR_ROUTE_DUPLICATED_HANDLER`
 */
export function shortcutOptions(
  method: string | string[],
  path: unknown,
  second: unknown,
  third: unknown,
): Record<string, unknown> {
  const route = `${[method].flat().join(',')}:${String(path)}`
  if (third === undefined && isFunction(second)) return { method, url: path, handler: second }
  if (!isRecord(second)) {
    if (second === undefined) throw createError('ROUTE_MISSING_HANDLER', { route })
    throw createError('ROUTE_OPTIONS_NOT_OBJ', { route: `${route} (got ${typeName(second)})` })
  }
  if (third !== undefined && second['handler'] !== undefined)
    throw createError('ROUTE_DUPLICATED_HANDLER', { route })
  return { ...second, method, url: path, handler: third ?? second['handler'] }
}
