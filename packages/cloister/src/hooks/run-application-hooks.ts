import { startAlarm, type Alarm } from '../platform.ts'
import { callWithDone, declaresDone } from './adapt.ts'
import { APPLICATION_HOOKS } from './names.ts'
import type { ApplicationHookName } from '../types/hooks.ts'
import { describeHook, nameOf, type HookEntry } from './table.ts'
import { createError } from '../errors.ts'
import { hush } from '../guards.ts'

/** A hook of the application with the instance that it was added to. */
export interface BoundHook {
  readonly entry: HookEntry
  readonly instance: object
}

/**
 * Runs hooks of the application's life one after the other, each under a deadline.
 *
 * @throws `CLO_ERR_HOOK_TIMEOUT`, naming the hook that hangs and where it was added
 */
export async function runApplicationHooks(
  name: ApplicationHookName,
  hooks: readonly BoundHook[],
  timeoutMs: number,
): Promise<void> {
  for (const { entry, instance } of hooks) {
    try {
      await runOne(name, entry, instance, timeoutMs)
    } catch (error) {
      hush(error)
      throw error
    }
  }
}

async function runOne(
  name: ApplicationHookName,
  { fn, callSite }: HookEntry,
  instance: object,
  timeoutMs: number,
): Promise<void> {
  const { args } = APPLICATION_HOOKS[name]
  // An `onClose` hook of one argument may be `(instance) => …`; of none, `() => …`.
  const given = [instance].slice(0, args)
  const calls = declaresDone(fn, args)
  const describe = (): string => describeHook({ name, fn, callSite })
  const running = calls ? callWithDone(fn, instance, given, describe) : fn.apply(instance, given)
  if (timeoutMs === 0 || !(running instanceof Promise || calls)) {
    await running
    return
  }
  let timer: Alarm
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = startAlarm(() => {
      const details = { name, fn: nameOf(fn), callSite: callSite.toString(), ms: timeoutMs }
      reject(createError('HOOK_TIMEOUT', details))
    }, timeoutMs)
  })
  await Promise.race([running, deadline]).finally(() => clearTimeout(timer))
}
