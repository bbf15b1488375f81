import * as real from 'node:timers'

/*
 * The timers of Node, taken when the framework is loaded: an application whose tests replace the timers can still boot
 * and close. An import alone does not do it: in CommonJS it is read at each call.
 */
export const setTimeout: typeof real.setTimeout = real.setTimeout
export const clearTimeout: typeof real.clearTimeout = real.clearTimeout
export const setInterval: typeof real.setInterval = real.setInterval
export const clearInterval: typeof real.clearInterval = real.clearInterval
export const setImmediate: typeof real.setImmediate = real.setImmediate

/** Resolves in the next turn of the event loop: after everything that the running one has set off. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A timer that was started. */
export type Alarm = NodeJS.Timeout | undefined

/** Calls back after so many milliseconds. It uses the present timers, so that tests can replace them. */
export function startAlarm(callback: () => void, ms: number): Alarm {
  return globalThis.setTimeout(callback, ms)
}

/** Calls back after so many milliseconds, unless the process ends before. */
export function startIdleAlarm(callback: () => void, ms: number): Alarm {
  return globalThis.setTimeout(callback, ms).unref()
}

/** Writes a process warning. */
export function emitWarning(message: string, code: string): void {
  process.emitWarning(message, { type: 'CloisterWarning', code })
}
