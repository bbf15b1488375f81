import { isFunction } from '../guards.ts'
import { REQUEST_HOOK_NAMES } from '../hooks/names.ts'
import { nameOf, type HookEntry } from '../hooks/hook-entry.ts'
import { constraintsOf } from '../routes/define-route.ts'
import { ownHooks } from '../routes/plan/plan-context.ts'
import { routeSettings, type RouteRecord } from '../routes/route-record.ts'
import type { HandlerDescription, RouteDescription } from '../types/description.generated.ts'
import { describeErrorHandler, describeHandler, describeHook, originOf } from './describe-parts.ts'

/** Describes a route: where it was defined, what its requests run, and its limits. */
export function describeRoute(record: RouteRecord): RouteDescription {
  const { method, url, context, handler, callSite, automatic } = record
  const { bodyLimit, handlerTimeout } = routeSettings(record)
  return {
    method,
    url,
    constraints: constraintTexts(record),
    ...originOf(callSite),
    context: context.path,
    automatic,
    handler: nameOf(handler),
    hooks: routeHooks(record).map(describeHook),
    errorHandlers: errorHandlersOf(record),
    bodyLimit,
    handlerTimeout,
  }
}

/** Returns constraints as text. Their values may be patterns or any other value of the application. */
export function constraintTexts({ options }: Pick<RouteRecord, 'options'>): Record<string, string> {
  const entries = Object.entries(constraintsOf(options)).map(([name, value]): [string, string] => [
    name,
    typeof value === 'object' && !(value instanceof RegExp) ? JSON.stringify(value) : String(value),
  ])
  return Object.fromEntries(entries)
}

/** Returns the hooks of a route by stage: those of its contexts, then its own. */
export function routeHooks(record: RouteRecord): HookEntry[] {
  return REQUEST_HOOK_NAMES.flatMap((name) => [
    ...record.context.hooksInForce(name),
    ...ownHooks(record, name),
  ])
}

/** Returns the error handlers of a route: its own, then those of its contexts, the nearest first. */
function errorHandlersOf({ context, options, callSite }: RouteRecord): HandlerDescription[] {
  const { errorHandler } = options
  const own = isFunction(errorHandler) ? [describeHandler(errorHandler, callSite, context, 'route')] : []
  const inherited = context.lineage().toReversed().map(describeErrorHandler)
  return [...own, ...inherited.filter((handler) => handler !== null)]
}
