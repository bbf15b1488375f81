/*
 * A timer belongs to the request in which it was set, and is dropped with it: an app that other requests wait for must
 * not boot by one. So the next turn is a microtask of this one.
 */
export const setImmediate = (callback: () => void): void => queueMicrotask(callback)

/** The timer of the platform, which has no timers of Node. */
export const setTimeout: typeof globalThis.setTimeout = globalThis.setTimeout

/** Calls off a timer of the platform. */
export const clearTimeout: typeof globalThis.clearTimeout = globalThis.clearTimeout

/** Resolves in the next turn of the event loop: after everything that the running one has set off. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
