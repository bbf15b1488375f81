import type { Context } from '../context/context.ts'
import { createError } from '../errors.ts'
import { isFunction, isRecord, typeName } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { checkRouteValues } from '../options/route-options.ts'
import { checkLogLevel, checkRouteHooks, checkRouteOptions } from './check-route-options.ts'
import type { MethodTable } from './methods.ts'
import { createRecord, type RouteOptions } from './route-record.ts'
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
    const origin = { context, callSite, isSecondPath: seen !== null }
    const placed = placement(context, given, tail)
    const options: RouteOptions = { ...(seen ?? given), ...placed, method }
    if (seen === null) runOnRoute(context, options)
    seen ??= options
    checkRouteHooks(options, callSite, context)
    checkRouteValues(options, label)
    const constraints = constraintsOf(options)
    const current = isFunction(options['handler']) ? options['handler'] : handler
    for (const name of methodNames) {
      const record = createRecord(name, String(options['url']), options, current, false, origin)
      checkLogLevel(record)
      routes.add(record, constraints)
    }
    const { url } = placed
    if (!exposesHead(context, given, methodNames) || routes.lookup('HEAD', url, constraints) !== null)
      continue
    const ofHead: RouteOptions = { ...given, ...placed, method: 'HEAD' }
    runOnRoute(context, ofHead)
    if (isFunction(ofHead['handler']))
      routes.add(createRecord('HEAD', url, ofHead, ofHead['handler'], true, origin), constraints)
  }
}

/** A GET route has a HEAD route too (RFC 9110 section 9.3.2), unless the application defines its own. */
function exposesHead(context: Context, given: RouteOptions, methodNames: readonly string[]): boolean {
  const exposed = given['exposeHeadRoute'] ?? context.app.options.exposeHeadRoutes
  return exposed === true && methodNames.includes('GET') && !methodNames.includes('HEAD')
}

function placement(context: Context, given: RouteOptions, tail: string): RouteOptions & { url: string } {
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

/** Returns the constraints of a route, including its version. */
export function constraintsOf(options: RouteOptions): Constraints {
  const { version, constraints } = options
  return { ...(isRecord(constraints) ? constraints : {}), ...(version === undefined ? {} : { version }) }
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
