import * as real from 'node:timers'

/*
 * Node's timers, saved when the framework loads, so that an application whose tests replace the timers can still boot
 * and close. An import isn't enough: CommonJS reads it at each call.
 */
export const setTimeout: typeof real.setTimeout = real.setTimeout
export const clearTimeout: typeof real.clearTimeout = real.clearTimeout
export const setInterval: typeof real.setInterval = real.setInterval
export const clearInterval: typeof real.clearInterval = real.clearInterval
export const setImmediate: typeof real.setImmediate = real.setImmediate

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

export type Alarm = NodeJS.Timeout | undefined

/** Starts a timer. It uses the current global timers, so that tests can replace them. */
export function startAlarm(callback: () => void, ms: number): Alarm {
  return globalThis.setTimeout(callback, ms)
}

/** Starts a timer that doesn't keep the process running. */
export function startIdleAlarm(callback: () => void, ms: number): Alarm {
  return globalThis.setTimeout(callback, ms).unref()
}

export function emitWarning(message: string, code: string): void {
  process.emitWarning(message, { type: 'CloisterWarning', code })
}
