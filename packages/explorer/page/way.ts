import type { RouteExplanation } from 'cloister'
import type { HookDescription } from 'cloister/types'

import type { StageTime } from '../src/traces.ts'
import { nameOf, timesOf } from './times.ts'
import { lastBeforeReply } from './waterfall.ts'

/** A request that was sent, in words. */
export interface Outcome {
  /** As in `POST /orders`. */
  readonly request: string
  /** As in `201 Created in 12.3 ms`. */
  readonly result: string
  readonly failed: boolean
}

/** Draws what a request has passed into the picture of the contexts. */
export type DrawWay = (trace: readonly StageTime[], outcome: Outcome) => void

/** A step of a request: a hook, or a stage without hooks. */
export interface Step {
  /** The hook, if a context has it on its wall; `null` for stages and the hooks of the route itself. */
  readonly hook: HookDescription | null
  readonly stage: string
  readonly name: string
  readonly ms: number
  /** Whether the request was refused here. */
  readonly isRefusal: boolean
}

/** Returns the steps of a request in order. */
export function stepsOf(route: RouteExplanation, trace: readonly StageTime[], failed: boolean): Step[] {
  const hooks = [...route.hooks]
  const refusal = failed ? lastBeforeReply(trace) : null
  const withHooks = new Set(trace.flatMap(({ stage, hook }) => (hook === undefined ? [] : [stage])))
  return timesOf(trace).flatMap((one): Step[] => {
    const { stage, hook, ms } = one
    if (hook === undefined && withHooks.has(stage)) return []
    const index = hooks.findIndex(({ name, fn }) => hook !== undefined && name === stage && isNamed(fn, hook))
    const found = index === -1 ? undefined : hooks.splice(index, 1)[0]
    const name =
      stage === 'handler'
        ? `handler ${route.handler}`
        : hook === undefined
          ? stage
          : `${stage} ${nameOf(one)}`
    const isRefusal =
      refusal !== null && refusal.at === one.at && refusal.stage === stage && refusal.hook === hook
    return [{ hook: found?.source === 'route' ? null : (found ?? null), stage, name, ms, isRefusal }]
  })
}

function isNamed(fn: string, hook: string): boolean {
  return fn === hook || (hook === '' && fn === 'anonymous')
}
