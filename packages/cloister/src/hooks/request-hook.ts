import { isThenable, whenSettled, type AnyFunction } from '../guards.ts'
import { mayCallDone, warnOfLateError, type Describe } from './adapt.ts'

/** A request hook as its route calls it. The function is analysed once, at boot. */
export interface RequestHook {
  readonly call: AnyFunction
  /** it may call `done`, its last argument */
  readonly takesDone: boolean
  /** the number of arguments before `done` */
  readonly args: number
  readonly instance: unknown
  readonly describe: Describe
  /** it only decodes bodies: there is nothing to do for a request without `Content-Encoding` */
  readonly decodes: boolean
}

/** The key on `preParsing` hooks that only decode bodies. They run for requests with `Content-Encoding`. */
const DECODES: unique symbol = Symbol.for('cloister.decodes')

const FAILED: unique symbol = Symbol('failed')

export interface HookReceiver {
  hookSettled(value: unknown): void
  hookFailed(error: unknown): void
}

/** Prepares a request hook at boot. */
export function adaptRequestHook(
  fn: AnyFunction,
  args: number,
  instance: unknown,
  describe: Describe,
): RequestHook {
  const decodes = Reflect.get(fn, DECODES) === true
  return { call: fn.bind(instance), takesDone: mayCallDone(fn, args), args, instance, describe, decodes }
}

/**
 * Calls a hook with `done`. The rest of the request runs inside `done`, so that `storage.run(value, done)` applies to all
 * of it. If the hook also returns a promise, the first to settle counts, and a later error is logged.
 */
export function callHookWithDone(
  hook: RequestHook,
  request: unknown,
  reply: unknown,
  value: unknown,
  receiver: HookReceiver,
): void {
  let isSettled = false
  // The only closure per call. `FAILED` marks errors that may be `undefined`.
  const done = (error?: unknown, result?: unknown): void => {
    const hasFailed = error !== undefined && error !== null
    if (isSettled) {
      if (hasFailed)
        warnOfLateError([request, hook.instance], hook.describe, error === FAILED ? result : error)
      return
    }
    isSettled = true
    if (!hasFailed) receiver.hookSettled(result)
    else receiver.hookFailed(error === FAILED ? result : error)
  }
  let returned: unknown
  try {
    if (hook.args === 2) returned = hook.call(request, reply, done)
    else returned = hook.args === 3 ? hook.call(request, reply, value, done) : hook.call(request, done)
  } catch (error) {
    done(FAILED, error)
    return
  }
  if (isThenable(returned)) {
    whenSettled(
      returned,
      (result) => done(null, result),
      (error) => done(FAILED, error),
    )
  }
}
