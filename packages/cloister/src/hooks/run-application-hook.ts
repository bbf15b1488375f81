import { startAlarm, type Alarm } from '../platform.ts'
import { callWithDone, declaresDone } from './adapt.ts'
import { HOOKS } from './names.ts'
import { describeHook, nameOf, type HookEntry } from './hook-entry.ts'
import { createError } from '../errors.ts'
import { hush } from '../guards.ts'

/**
 * Runs an application hook with a deadline.
 *
 * @param timeoutMs - 0 means no limit
 * @throws `CLO_ERR_HOOK_TIMEOUT`, with the name and call site of the hook
 */
export async function runApplicationHook(hook: HookEntry, timeoutMs: number): Promise<void> {
  const { name, fn, callSite, owner } = hook
  // An `onClose` hook with one parameter may be `(instance) => …`; one without parameters is `() => …`.
  const given = [owner.instance].slice(0, HOOKS[name].args)
  const run = (): unknown =>
    declaresDone(fn, given.length)
      ? callWithDone(fn, owner.instance, given, () => describeHook(hook))
      : fn.apply(owner.instance, given)
  const expired = (): Error => createError('HOOK_TIMEOUT', { name, fn: nameOf(fn), callSite, ms: timeoutMs })
  try {
    await beforeDeadline(run, timeoutMs, expired)
  } catch (error) {
    hush(error)
    throw error
  }
}

/**
 * Runs a function and waits for its promise until the deadline. The time includes the call itself.
 *
 * @param ms - the deadline in milliseconds; 0 means none
 * @param expired - returns the error when the deadline passes; `null` restarts the timer
 */
export async function beforeDeadline(
  run: () => unknown,
  ms: number,
  expired: () => Error | null,
): Promise<void> {
  let timer: Alarm
  const deadline = new Promise<never>((_resolve, reject) => {
    const expire = (): void => {
      const error = expired()
      if (error === null) timer = startAlarm(expire, ms)
      else reject(error)
    }
    if (ms > 0) timer = startAlarm(expire, ms)
  })
  try {
    await Promise.race([run(), deadline])
  } finally {
    clearTimeout(timer)
  }
}
