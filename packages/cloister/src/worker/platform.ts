import type * as replaced from '../platform.ts'

/*
 * A platform drops a timer with the request that set it. Other requests wait for the boot too, so the boot must not
 * depend on a timer; the next turn is a microtask.
 */
export const setImmediate = (callback: () => void): void => queueMicrotask(callback)

export const setTimeout: typeof globalThis.setTimeout = globalThis.setTimeout

export const clearTimeout: typeof globalThis.clearTimeout = globalThis.clearTimeout

export const setInterval: typeof globalThis.setInterval = globalThis.setInterval

export const clearInterval: typeof globalThis.clearInterval = globalThis.clearInterval

/** Resolves in a later microtask; see `setImmediate`. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/**
 * While a worker's script loads, its platform forbids timers and limits the time itself. So an app can `await` its
 * plugins there, with the platform's time limit.
 */
export const startAlarm: typeof replaced.startAlarm = (callback, ms) => {
  try {
    return globalThis.setTimeout(callback, ms)
  } catch {
    return undefined
  }
}

/** A worker has no process that a timer could keep running. */
export const startIdleAlarm: typeof replaced.startIdleAlarm = (callback, ms) => startAlarm(callback, ms)

/** Writes a warning to the console, because a worker has no process. */
export const emitWarning: typeof replaced.emitWarning = (message, code) =>
  console.warn(`[${code}] ${message}`)
