// Taken here once, so that an application whose tests replace the timers can still boot and close.
import { setImmediate } from 'node:timers'

/** Resolves in the next turn of the event loop: after everything that the running one has set off. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
