import { isFunction, type AnyFunction } from '../guards.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import { nameOf, type HookEntry } from '../hooks/table.ts'
import { constraintsOf } from '../routes/define-route.ts'
import { routeSettings, type RouteRecord } from '../routes/route-record.ts'
import type { HandlerDescription, HookDescription, RouteDescription } from '../types/description.ts'
import { describeErrorHandler, describeHook, originOf } from './describe-parts.ts'

/** Describes a route: where it was defined, what its requests run, and its limits. */
export function describeRoute(record: RouteRecord): RouteDescription {
  const { method, url, context, handler, callSite, automatic } = record
  const { bodyLimit, handlerTimeout } = routeSettings(record)
  return Object.freeze({
    method,
    url,
    constraints: Object.freeze(constraintTexts(record)),
    ...originOf(callSite),
    context: context.path,
    automatic,
    handler: nameOf(handler),
    hooks: Object.freeze(hooksOf(record)),
    errorHandlers: Object.freeze(errorHandlersOf(record)),
    bodyLimit,
    handlerTimeout,
  })
}

/** Constraints may be patterns or any other value of the application; they are shown as text. */
export function constraintTexts({ options }: Pick<RouteRecord, 'options'>): Record<string, string> {
  const entries = Object.entries(constraintsOf(options)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' && !(value instanceof RegExp) ? JSON.stringify(value) : String(value),
  ])
  return Object.fromEntries(entries)
}

/** A hook of a route: an entry of a context, or a function of the route itself. */
type RouteHook = Pick<HookEntry, 'name' | 'fn'> & { readonly entry: HookEntry | null }

/** The hooks of a route's contexts, then its own, as `HookPlanner` orders them. */
function routeHooksOf({ context, options }: RouteRecord): RouteHook[] {
  return REQUEST_HOOK_NAMES.flatMap((name) => {
    const inherited = context.hooksInForce(name).map((entry): RouteHook => ({ name, fn: entry.fn, entry }))
    const own = options[name]
    if (own === undefined) return inherited
    return [
      ...inherited,
      ...[own]
        .flat()
        .filter(isFunction)
        .map((fn) => ({ name, fn, entry: null })),
    ]
  })
}

/** Returns the functions of a route's hooks, in the order of their descriptions. */
export function hookFunctionsOf(record: RouteRecord): AnyFunction[] {
  return routeHooksOf(record).map(({ fn }) => fn)
}

function hooksOf(record: RouteRecord): HookDescription[] {
  const { context, callSite } = record
  const origins = new Map(context.lineage().flatMap((each) => each.hooks.own.map((entry) => [entry, each])))
  return routeHooksOf(record).map(({ name, fn, entry }) =>
    entry === null
      ? Object.freeze({
          name,
          fn: nameOf(fn),
          ...originOf(callSite),
          context: context.path,
          source: 'route' as const,
        })
      : describeHook(entry, (origins.get(entry) ?? context).path),
  )
}

/** The error handlers of a route: its own, then those of its contexts, the nearest first. */
function errorHandlersOf({ context, options, callSite }: RouteRecord): HandlerDescription[] {
  const { errorHandler } = options
  const inherited = context
    .lineage()
    .toReversed()
    .map(describeErrorHandler)
    .filter((handler) => handler !== null)
  if (!isFunction(errorHandler)) return inherited
  const own: HandlerDescription = {
    fn: nameOf(errorHandler),
    ...originOf(callSite),
    context: context.path,
    source: 'route',
  }
  return [Object.freeze(own), ...inherited]
}
