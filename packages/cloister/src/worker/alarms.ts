import type * as replaced from '../alarms.ts'

/**
 * While a worker's script loads, its platform forbids timers, and limits the time itself. So an app may `await` its
 * plugins there, and their time limit is the platform's.
 */
export const startAlarm: typeof replaced.startAlarm = (callback, ms) => {
  try {
    return setTimeout(callback, ms)
  } catch {
    return undefined
  }
}

/** A worker has no process that a timer could keep alive. */
export const startIdleAlarm: typeof replaced.startIdleAlarm = (callback, ms) => startAlarm(callback, ms)
