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
 * Hooks, parsers and plugins may be written with a promise or with a `done` callback. Both become one shape here,
 * once: a function that returns its value, or a promise of it, or throws.
 */
export type Adapted = (...args: unknown[]) => unknown

const CANNOT_SEE = /\.\.\.|\barguments\b|\[native code\]/

/**
 * Whether a function may call `done`. A function that declares the argument may; one whose text shows rest
 * parameters or `arguments`, or no text at all, may too, and is waited for: running on before an authentication
 * hook has called back would be worse than waiting for one that never does.
 */
export function mayCallDone(fn: AnyFunction, args: number): boolean {
  return !isAsyncFunction(fn) && mayTakeMore(fn, args)
}

/** Whether a function may read more arguments than so many. */
export function mayTakeMore(fn: AnyFunction, args: number): boolean {
  if (fn.length > args || CANNOT_SEE.test(Function.prototype.toString.call(fn))) return true
  return countParameters(fn) > args
}

const PARAMETERS = /^[^(=]*\(([^]*?)\)\s*(?:\{|=>)/
const NOTES = /\/\*[^]*?\*\/|\/\/.*/g
const PATTERNS = /[{[][^{}[\]]*[}\]]/g

/** How many parameters a function has; its `length` ends before the first with a default value. */
export function countParameters(fn: AnyFunction): number {
  const [, list = ''] = PARAMETERS.exec(Function.prototype.toString.call(fn)) ?? []
  let names = list.replaceAll(NOTES, '')
  for (let nested = ''; nested !== names; names = names.replaceAll(PATTERNS, 'x')) nested = names
  return Math.max(fn.length, names.split(',').filter((name) => name.trim() !== '').length)
}

/**
 * Whether a function declares `done` behind its other arguments. What belongs to the life of the app (`after`,
 * `onReady`, `onClose` and their like) goes by this alone: bound functions, which show no text, are common there.
 */
export function declaresDone(fn: AnyFunction, args: number): boolean {
  return !isAsyncFunction(fn) && fn.length > args
}

/**
 * Adapts a function of the application.
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
 * Calls a function with `done` as its last argument: its value at once, or a promise when it calls back later. Of one
 * that returns a promise too, whichever settles first counts; an error that comes later is logged.
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
    // The first error counts; after a success that came too early there is none yet.
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

/** Describes a function and its call site: `the onRequest hook 'auth', added at app.js:12,`. */
export type Describe = () => string

/**
 * Logs an error of a function that had called `done` before: nothing waits for it any more, and it must not get lost.
 *
 * @param owners - the first one that has a logger writes the line: the request, or the instance
 */
export function warnOfLateError(owners: readonly unknown[], describe: Describe, thrown: unknown): void {
  hush(thrown)
  const line = `${describe()} failed after it had called 'done'; its error has no effect any more. Call 'done' once, and last`
  try {
    for (const owner of owners) {
      const log = isRecord(owner) ? owner['log'] : undefined
      if (!isRecord(log) || !isFunction(log['warn'])) continue
      // What a logger rejects with is lost with the line.
      isLate(log['warn']({ err: thrown ?? wrapThrown(thrown) }, line))
      return
    }
  } catch (failure) {
    warn('LOG_LOST', { reason: messageOf(failure) })
  }
}
