import {
  isAsyncFunction,
  isThenable,
  whenSettled,
  hush,
  isFunction,
  isLate,
  isRecord,
  type AnyFunction,
} from '../guards.ts'
import { warn } from '../logging/warnings.ts'
import { messageOf, wrapThrown } from '../read-error.ts'

/**
 * A hook, parser or plugin in one form. User code may return a promise or call `done`; the adapted function returns its
 * value or a promise of it, or throws.
 */
export type Adapted = (...args: unknown[]) => unknown

const CANNOT_SEE = /\.\.\.|\barguments\b|\[native code\]/

/**
 * Returns whether a function may call `done`: if it declares the parameter, or if its text contains rest parameters or
 * `arguments` or can't be read. The framework waits for such a function. A hook that never calls back is less harmful
 * than a request that continues before an authentication hook has called back.
 */
export function mayCallDone(fn: AnyFunction, args: number): boolean {
  return !isAsyncFunction(fn) && mayTakeMore(fn, args)
}

/** Returns whether a function may read more than `args` arguments. */
export function mayTakeMore(fn: AnyFunction, args: number): boolean {
  if (fn.length > args || CANNOT_SEE.test(Function.prototype.toString.call(fn))) return true
  return countParameters(fn) > args
}

const PARAMETERS = /^[^(=]*\(([^]*?)\)\s*(?:\{|=>)/
const NOTES = /\/\*[^]*?\*\/|\/\/.*/g
const PATTERNS = /[{[][^{}[\]]*[}\]]/g

/**
 * Returns the number of parameters of a function. Its `length` doesn't count parameters from the first default value
 * on.
 */
export function countParameters(fn: AnyFunction): number {
  const [, list = ''] = PARAMETERS.exec(Function.prototype.toString.call(fn)) ?? []
  let names = list.replaceAll(NOTES, '')
  for (let nested = ''; nested !== names; names = names.replaceAll(PATTERNS, 'x')) nested = names
  return Math.max(fn.length, names.split(',').filter((name) => name.trim() !== '').length)
}

/**
 * Returns whether a function declares `done` after its other arguments. Functions for the life of the app (`after`,
 * `onReady`, `onClose` and so on) use only this rule, because bound functions, whose text can't be read, are common
 * there.
 */
export function declaresDone(fn: AnyFunction, args: number): boolean {
  return !isAsyncFunction(fn) && fn.length > args
}

/**
 * Adapts an application function to `Adapted`.
 *
 * @param fn - the function, in callback or promise form
 * @param args - how many arguments come before `done`
 * @param self - its `this`
 * @param describe - returns its name in the log
 */
export function adaptHook(fn: AnyFunction, args: number, self: unknown, describe: Describe): Adapted {
  if (!mayCallDone(fn, args)) return fn.bind(self)
  return (...given) => callWithDone(fn, self, given, describe)
}

/**
 * Calls a function with `done` as its last argument. Returns its value, or a promise if it calls back later. If the
 * function also returns a promise, the first to settle counts, and a later error is logged.
 */
export function callWithDone(
  fn: AnyFunction,
  self: unknown,
  args: readonly unknown[],
  describe: Describe,
): unknown {
  let settled = false
  let failed = false
  let value: unknown
  let wake: (() => void) | null = null

  const settle = (hasFailed: boolean, result: unknown): void => {
    if (settled) {
      if (hasFailed) warnOfLateError([args[0], self], describe, result)
      return
    }
    settled = true
    failed = hasFailed
    value = result
    wake?.()
  }
  const done = (error?: unknown, result?: unknown): void => {
    const hasFailed = error !== undefined && error !== null
    settle(hasFailed, hasFailed ? error : result)
  }

  let returned: unknown
  try {
    returned = fn.call(self, ...args, done)
  } catch (error) {
    // The first error counts. If `done` was called with success before, this is the first error.
    if (!failed) throw error
    settle(true, error)
  }
  if (isThenable(returned)) {
    whenSettled(
      returned,
      (result) => settle(false, result),
      (error) => settle(true, error),
    )
  }
  if (!settled) {
    return new Promise((resolve, reject) => {
      wake = () => (failed ? reject(value) : resolve(value))
    })
  }
  if (failed) throw value
  return value
}

/** Returns the description of a function with its call site: `the onRequest hook 'auth', added at app.js:12,`. */
export type Describe = () => string

/**
 * Logs an error that a function reports after calling `done`. Nothing else handles it.
 *
 * @param owners - the request or the instance; the first one with a logger writes the line
 */
export function warnOfLateError(owners: readonly unknown[], describe: Describe, thrown: unknown): void {
  hush(thrown)
  const line = `${describe()} failed after it had called 'done'; its error has no effect any more. Call 'done' once, and last`
  try {
    for (const owner of owners) {
      const log = isRecord(owner) ? owner['log'] : undefined
      if (!isRecord(log) || !isFunction(log['warn'])) continue
      // The rejection of an asynchronous logger is ignored.
      isLate(log['warn']({ err: thrown ?? wrapThrown(thrown) }, line))
      return
    }
  } catch (failure) {
    warn('LOG_LOST', { reason: messageOf(failure) })
  }
}
