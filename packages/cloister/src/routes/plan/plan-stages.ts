import type { PlanHooks, Stage } from '../../request/route-plan.ts'
import {
  neededStages,
  NOT_FOUND_STAGES,
  READY_STAGES,
  REPLY_STAGES,
  REQUEST_STAGES,
  type StageFacts,
  type StageObserver,
} from '../../request/stages.ts'

export interface PlanStages {
  readonly requestStages: readonly Stage[]
  readonly valueStages: readonly Stage[]
  readonly readyStages: readonly Stage[]
  readonly notFoundStages: readonly Stage[]
}

/** Selects the stages of routes. Routes that need the same stages share the lists. */
export class StagePlanner {
  readonly #byHooks = new Map<PlanHooks, Map<string, PlanStages>>()
  readonly #observe: StageObserver | null

  /** @param observe - called at the start of each stage; `null` if the app has no observer */
  constructor(observe: StageObserver | null) {
    this.#observe = observe
  }

  plan(facts: StageFacts): PlanStages {
    const byKey = this.#byHooks.get(facts.hooks) ?? new Map<string, PlanStages>()
    this.#byHooks.set(facts.hooks, byKey)
    const key = `${facts.bodyRule} ${facts.keepsRawBody} ${facts.validators !== null} ${facts.handlerTimeout > 0} ${facts.undeclaredStatuses !== 'send'}`
    const known = byKey.get(key)
    if (known !== undefined) return known
    const observe = this.#observe
    const stages = {
      requestStages: neededStages(REQUEST_STAGES, facts, observe),
      valueStages: neededStages(REPLY_STAGES, facts, observe),
      notFoundStages: neededStages(NOT_FOUND_STAGES, facts, observe),
      readyStages: neededStages(READY_STAGES, facts, observe),
    }
    byKey.set(key, stages)
    return stages
  }
}
