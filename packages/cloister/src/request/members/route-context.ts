import type { AnyFunction } from '../../functions.ts'
import { forRequestHooks } from '../../hooks/names.ts'
import type { RequestHookName } from '../../types/hooks.ts'
import type { RequestHook } from '../../hooks/request-hook.ts'
import type { PlanHooks } from '../route-plan.ts'

/** The functions of each request hook; `null` where a route has none. */
export type RouteContext = Readonly<Record<RequestHookName, readonly AnyFunction[] | null>>

/** Returns the hooks of a route in the form that tools of the ecosystem read behind a symbol. */
export function routeContextOf(hooks: PlanHooks): RouteContext {
  return forRequestHooks((name) => functionsOf(hooks[name]))
}

function functionsOf(hooks: readonly RequestHook[]): readonly AnyFunction[] | null {
  return hooks.length === 0 ? null : hooks.map(({ call }) => call)
}
