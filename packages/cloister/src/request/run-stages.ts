import { isThenable } from '../guards.ts'
import { kPlan, kState } from '../symbols.ts'
import { failIfOurs, HookRun } from './hook-run.ts'
import { OPEN, type ReplyState } from './state.ts'
import type { Stage, RoutePlan } from './route-plan.ts'
import { writeWarning } from './write-line.ts'

/**
 * Runs the rows of a path in order, synchronously until one returns a promise.
 *
 * A run belongs to one epoch of its reply. When a row sends, fails or hijacks, a new epoch begins and this run ends;
 * the next run has already been started.
 */
export function runStages(
  stages: readonly Stage[],
  reply: ReplyState,
  start = 0,
  epoch: number = reply[kState].epoch,
): void {
  const state = reply[kState]
  const plan = reply[kPlan]
  const { request } = reply
  try {
    for (let i = start; i < stages.length; i++) {
      const pending = stages[i]?.(plan, request, reply)
      if (pending instanceof HookRun) {
        pending.start(runStages, stages, i + 1)
        return
      }
      if (state.epoch !== epoch) {
        // Nothing waits for the promise any more, but its rejection must be reported.
        if (isThenable(pending)) pending.then(undefined, (error: unknown) => failIfOurs(reply, epoch, error))
        return
      }
      if (pending !== undefined && (pending instanceof Promise || isThenable(pending))) {
        pending.then(
          () => {
            if (state.epoch === epoch) runStages(stages, reply, i + 1, epoch)
          },
          (error: unknown) => failIfOurs(reply, epoch, error),
        )
        return
      }
    }
  } catch (error) {
    failIfOurs(reply, epoch, error)
  }
}

/** Passes a request to a not-found handler, as if no route had matched: its `preHandler` hooks run first. */
export function callNotFound(reply: ReplyState, plan: RoutePlan): void {
  reply[kPlan] = plan
  reply.request[kPlan] = plan
  reply[kState].phase = OPEN
  reply[kState].epoch++
  runStages(plan.notFoundStages, reply)
}

/** Sends a plain 404, because a not-found handler would call itself. */
export function refuseNotFound(reply: ReplyState): void {
  writeWarning(reply, 'callNotFound was called where no route is; a plain 404 is sent')
  reply.code(404).send('404 Not Found')
}
