import { isThenable } from '../functions.ts'
import { kPlan, kTurn } from '../symbols.ts'
import { failIfOurs, HookRun } from './hook-run.ts'
import type { ReplyState } from './state.ts'
import type { Stage } from './route-plan.ts'

/**
 * Runs the rows of a path in order, synchronously until one returns a promise.
 *
 * A run has one turn to speak. When a row answers, fails or hijacks, the reply's turn moves on and this run ends;
 * whatever moved it has started the next one.
 */
export function runStages(
  stages: readonly Stage[],
  reply: ReplyState,
  start = 0,
  turn: number = reply[kTurn],
): void {
  const plan = reply[kPlan]
  const { request } = reply
  try {
    for (let i = start; i < stages.length; i++) {
      const pending = stages[i]?.(plan, request, reply)
      if (pending instanceof HookRun) {
        pending.start(runStages, stages, i + 1)
        return
      }
      if (reply[kTurn] !== turn) {
        // Nobody waits for it any more, but what it rejects with must not get lost.
        if (pending !== undefined && isThenable(pending))
          pending.then(undefined, (error: unknown) => failIfOurs(reply, turn, error))
        return
      }
      if (pending !== undefined && (pending instanceof Promise || isThenable(pending))) {
        pending.then(
          () => {
            if (reply[kTurn] === turn) runStages(stages, reply, i + 1, turn)
          },
          (error: unknown) => failIfOurs(reply, turn, error),
        )
        return
      }
    }
  } catch (error) {
    failIfOurs(reply, turn, error)
  }
}
