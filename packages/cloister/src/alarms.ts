/** A time that has been set. */
export type Alarm = NodeJS.Timeout | undefined

/** Calls back after so many milliseconds. The timers are those of the moment, so that tests can replace them. */
export function startAlarm(callback: () => void, ms: number): Alarm {
  return setTimeout(callback, ms)
}

/** Calls back after so many milliseconds, unless the process ends before. */
export function startIdleAlarm(callback: () => void, ms: number): Alarm {
  return setTimeout(callback, ms).unref()
}
