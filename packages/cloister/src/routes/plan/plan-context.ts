import type { Context } from '../../context/context.ts'
import { mayTakeMore } from '../../hooks/adapt.ts'
import type { ParserLookup } from '../../body/parser-table.ts'
import type { AnyFunction } from '../../guards.ts'
import type { PlanErrorHandler } from '../../request/route-plan.ts'
import { buildClasses } from './plan-classes.ts'
import type { ContextClasses } from './plan-classes.ts'

/** The part of plans that all routes of one context share. */
export interface ContextPlan extends ContextClasses {
  readonly parsers: ParserLookup
  /** those of the context and its ancestors, the nearest first */
  readonly errorHandlers: readonly PlanErrorHandler[]
  readonly schemaErrorFormatter: AnyFunction | null
  readonly replySerializer: AnyFunction | null
  readonly childLoggerFactory: AnyFunction | null
  readonly genReqId: AnyFunction | null
}

/** Resolves the chain of each context once. */
export class ContextPlanner {
  readonly #plans = new Map<Context, ContextPlan>()

  plan(context: Context): ContextPlan {
    const known = this.#plans.get(context)
    if (known !== undefined) return known
    const { parent, instance, settings } = context
    const above = parent === null ? null : this.plan(parent)
    const { errorHandler } = settings
    const inherited = above?.errorHandlers ?? []
    const plan: ContextPlan = {
      ...buildClasses(context, above),
      parsers: context.parsers.toLookup(),
      errorHandlers:
        errorHandler === null ? inherited : [planErrorHandler(errorHandler.value, instance), ...inherited],
      schemaErrorFormatter: context.setting('schemaErrorFormatter'),
      replySerializer: context.setting('replySerializer'),
      childLoggerFactory: context.setting('childLoggerFactory'),
      genReqId: context.setting('genReqId'),
    }
    this.#plans.set(context, plan)
    return plan
  }
}

/** An error handler as requests call it; `reply` is its third argument. */
export function planErrorHandler(fn: AnyFunction, instance: object): PlanErrorHandler {
  return { handle: fn.bind(instance), takesReply: mayTakeMore(fn, 2) }
}
