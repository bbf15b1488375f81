import { mayTakeMore } from '../../hooks/adapt.ts'
import type { AnyFunction } from '../../functions.ts'
import type { PlanErrorHandler } from '../../request/route-plan.ts'

/** An error handler as requests call it; `reply` is its third argument. */
export function planErrorHandler(fn: AnyFunction, instance: object): PlanErrorHandler {
  return { handle: fn.bind(instance), takesReply: mayTakeMore(fn, 2) }
}
