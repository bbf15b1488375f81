import { startAlarm, type Alarm } from '../platform.ts'
import { callWithDone, declaresDone } from './adapt.ts'
import { HOOKS } from './names.ts'
import { describeHook, nameOf, type HookEntry } from './hook-entry.ts'
import { createError } from '../errors.ts'
import { hush } from '../guards.ts'

/**
 * Runs a hook of the application's life, under a deadline.
 *
 * @param timeoutMs - 0 for no limit
 * @throws `CLO_ERR_HOOK_TIMEOUT`, naming the hook that hangs and where it was added
 */
export async function runApplicationHook(hook: HookEntry, timeoutMs: number): Promise<void> {
  const { name, fn, callSite, owner } = hook
  // An `onClose` hook of one argument may be `(instance) => …`; of none, `() => …`.
  const given = [owner.instance].slice(0, HOOKS[name].args)
  try {
    const running = declaresDone(fn, given.length)
      ? callWithDone(fn, owner.instance, given, () => describeHook(hook))
      : fn.apply(owner.instance, given)
    await (running instanceof Promise
      ? beforeDeadline(running, timeoutMs, () =>
          createError('HOOK_TIMEOUT', { name, fn: nameOf(fn), callSite: callSite.toString(), ms: timeoutMs }),
        )
      : running)
  } catch (error) {
    hush(error)
    throw error
  }
}

/**
 * Waits for a promise, so many milliseconds at most; 0 sets no limit.
 *
 * @param expired - the error of a deadline that is over; `null` starts the time again
 */
export async function beforeDeadline<T>(
  pending: Promise<T>,
  ms: number,
  expired: () => Error | null,
): Promise<T> {
  if (ms === 0) return pending
  let timer: Alarm
  const deadline = new Promise<never>((_resolve, reject) => {
    const expire = (): void => {
      const error = expired()
      if (error === null) timer = startAlarm(expire, ms)
      else reject(error)
    }
    timer = startAlarm(expire, ms)
  })
  try {
    return await Promise.race([pending, deadline])
  } finally {
    clearTimeout(timer)
  }
}
