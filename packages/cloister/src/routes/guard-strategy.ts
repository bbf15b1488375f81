import { atOnce } from '../errors.ts'
import { wrapThrown } from '../read-error.ts'
import { inherit, isFunction, isRecord, isThenable, whenSettled, type AnyFunction } from '../guards.ts'
import { callsBack } from '../router/strategies.ts'

/** Receives the error of a constraint strategy that fails after calling back. */
export type FailedLate = (name: string, thrown: unknown) => void

/**
 * Guards the `deriveConstraint` of an application's strategy. A strategy without a callback must not return a promise.
 * If a strategy with a callback returns a promise that rejects, the request fails instead of waiting forever.
 */
export function guardStrategy(strategy: Readonly<Record<string, unknown>>, failedLate: FailedLate): object {
  const { name, deriveConstraint: derive } = strategy
  // The router reports the missing function.
  if (!isFunction(derive)) return strategy
  const call = (...args: unknown[]): unknown => Reflect.apply(derive, strategy, args)
  const value = callsBack(strategy)
    ? withCallback(call, (thrown) => failedLate(String(name), thrown))
    : (...args: unknown[]) => atOnce(call(...args), `deriveConstraint of '${String(name)}'`)
  return inherit(strategy, { deriveConstraint: { value, enumerable: true } })
}

function withCallback(derive: AnyFunction, failedLate: (thrown: unknown) => void): AnyFunction {
  return (request: unknown, context: unknown, done: unknown) => {
    let isSettled = false
    const settle = (error: unknown, value?: unknown): void => {
      if (isSettled || !isFunction(done)) {
        if (error != null) failedLate(error)
        return
      }
      isSettled = true
      done(error == null ? null : wrapThrown(error), value)
    }
    const fail = (thrown: unknown): void => settle(wrapThrown(thrown))
    let result: unknown
    try {
      result = derive(request, context, settle)
    } catch (thrown) {
      fail(thrown)
    }
    if (isThenable(result)) whenSettled(result, () => {}, fail)
  }
}

/** Guards the strategies of the option `constraints`. */
export function guardStrategies(
  strategies: Readonly<Record<string, unknown>> | null,
  failedLate: FailedLate,
): Readonly<Record<string, unknown>> | null {
  if (strategies === null) return null
  const guarded = Object.entries(strategies).map(([name, strategy]): [string, unknown] => [
    name,
    isRecord(strategy) ? guardStrategy(strategy, failedLate) : strategy,
  ])
  return Object.fromEntries(guarded)
}
