import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'

const hourMs = 3_600_000

/**
 * From now on every timer of this process fires an hour late, so that work put off to idle time does not fall
 * into what is measured. Timers that were started before are not touched.
 */
export function delayTimers(): void {
  const start = timers.setTimeout
  const late = <A extends unknown[]>(
    callback: (...args: A) => void,
    delayMs = 0,
    ...args: A
  ): NodeJS.Timeout => start(callback, delayMs + hourMs, ...args)
  const replacement = Object.assign(late, { __promisify__: start.__promisify__ })
  timers.setTimeout = replacement
  globalThis.setTimeout = replacement
  syncBuiltinESMExports()
}
