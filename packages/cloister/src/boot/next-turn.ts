import { setImmediate } from '../timers.ts'

/** Resolves in the next turn of the event loop: after everything that the running one has set off. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
