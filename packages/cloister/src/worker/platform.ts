import type * as replaced from '../platform.ts'

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

/**
 * While a worker's script loads, its platform forbids timers, and limits the time itself. So an app may `await` its
 * plugins there, and their time limit is the platform's.
 */
export const startAlarm: typeof replaced.startAlarm = (callback, ms) => {
  try {
    return globalThis.setTimeout(callback, ms)
  } catch {
    return undefined
  }
}

/** A worker has no process that a timer could keep alive. */
export const startIdleAlarm: typeof replaced.startIdleAlarm = (callback, ms) => startAlarm(callback, ms)

/** Writes a warning to the console: a worker has no process. */
export const emitWarning: typeof replaced.emitWarning = (message, code) =>
  console.warn(`[${code}] ${message}`)
