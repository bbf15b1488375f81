import type { Context } from '../context/context.ts'
import { isFunction } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import type { HookEntry } from '../hooks/table.ts'
import { constraintsOf } from '../routes/define-route.ts'
import { bodyLimitOf, handlerTimeoutOf } from '../routes/plan/public-options.ts'
import type { RouteRecord } from '../routes/route-record.ts'
import type { HandlerDescription, HookDescription, RouteDescription } from './description.ts'

/** Returns the name of a function, for people. */
function nameOf(fn: AnyFunction): string {
  return fn.name || 'anonymous'
}

/** Describes a hook that `addHook` added to a context. */
export function describeHook({ name, fn, callSite }: HookEntry, context: string): HookDescription {
  return Object.freeze({ name, fn: nameOf(fn), callSite: callSite.toString(), context, source: 'context' })
}

/** Describes the hooks that a context has itself. */
export function describeHooks({ hooks, path }: Context): readonly HookDescription[] {
  return hooks.own.map((entry) => describeHook(entry, path))
}

/** Describes the error handler that a context has itself. */
export function describeErrorHandler({ settings, path }: Context): HandlerDescription | null {
  const { errorHandler } = settings
  if (errorHandler === null) return null
  const { value, callSite } = errorHandler
  return Object.freeze({
    fn: nameOf(value),
    callSite: callSite.toString(),
    context: path,
    source: 'context',
  })
}

/** Describes a route: where it was defined, what its requests run, and its limits. */
export function describeRoute(record: RouteRecord): RouteDescription {
  const { method, url, options, context, handler, callSite, automatic } = record
  return Object.freeze({
    method,
    url,
    constraints: Object.freeze(constraintsOf(options)),
    callSite: callSite.toString(),
    context: context.path,
    automatic,
    handler: nameOf(handler),
    hooks: Object.freeze(hooksOf(record)),
    errorHandlers: Object.freeze(errorHandlersOf(record)),
    bodyLimit: bodyLimitOf(record),
    handlerTimeout: handlerTimeoutOf(record),
    schema: options['schema'],
  })
}

/** The hooks of a route's contexts, then its own, as `HookPlanner` orders them. */
function hooksOf({ context, options, callSite }: RouteRecord): HookDescription[] {
  const origins = new Map(context.lineage().flatMap((each) => each.hooks.own.map((entry) => [entry, each])))
  return REQUEST_HOOK_NAMES.flatMap((name) => {
    const inherited = context
      .hooksInForce(name)
      .map((entry) => describeHook(entry, (origins.get(entry) ?? context).path))
    const own = [options[name] ?? []].flat().filter(isFunction)
    const routed = own.map((fn) => Object.freeze({ name, fn: nameOf(fn), ...ofRoute(context, callSite) }))
    return [...inherited, ...routed]
  })
}

/** The error handlers of a route: its own, then those of its contexts, the nearest first. */
function errorHandlersOf({ context, options, callSite }: RouteRecord): HandlerDescription[] {
  const { errorHandler } = options
  const own = isFunction(errorHandler) ? [{ fn: nameOf(errorHandler), ...ofRoute(context, callSite) }] : []
  const inherited = context.lineage().toReversed().map(describeErrorHandler)
  return [...own.map((handler) => Object.freeze(handler)), ...inherited.filter((handler) => handler !== null)]
}

function ofRoute(
  { path }: Context,
  callSite: RouteRecord['callSite'],
): Pick<HandlerDescription, 'callSite' | 'context' | 'source'> {
  return { callSite: callSite.toString(), context: path, source: 'route' }
}
