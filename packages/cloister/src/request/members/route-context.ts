import type { AnyFunction } from '../../functions.ts'
import type { RequestHookName } from '../../hooks/names.ts'
import type { RequestHook } from '../../hooks/request-hook.ts'
import type { PlanHooks } from '../route-plan.ts'

/** The functions of each request hook; `null` where a route has none. */
export type RouteContext = Readonly<Record<RequestHookName, readonly AnyFunction[] | null>>

/** Returns the hooks of a route in the form that tools of the ecosystem read behind a symbol. */
export function routeContextOf(hooks: PlanHooks): RouteContext {
  return {
    onRequest: functionsOf(hooks.onRequest),
    preParsing: functionsOf(hooks.preParsing),
    preValidation: functionsOf(hooks.preValidation),
    preHandler: functionsOf(hooks.preHandler),
    preSerialization: functionsOf(hooks.preSerialization),
    onSend: functionsOf(hooks.onSend),
    onResponse: functionsOf(hooks.onResponse),
    onError: functionsOf(hooks.onError),
    onTimeout: functionsOf(hooks.onTimeout),
    onRequestAbort: functionsOf(hooks.onRequestAbort),
  }
}

function functionsOf(hooks: readonly RequestHook[]): readonly AnyFunction[] | null {
  return hooks.length === 0 ? null : hooks.map(({ call }) => call)
}
