import type { Context } from '../../context/context.ts'
import type { AnyFunction } from '../../guards.ts'

/**
 * Returns the arguments of a callback of `after` or `ready`, which takes nothing, `(error)`, `(error, done)` or
 * `(error, instance, done)`.
 */
export function argumentsOfAfter(fn: AnyFunction, error: Error | null, context: Context): readonly unknown[] {
  if (fn.length === 0) return []
  return fn.length >= 3 ? [error, context.instance] : [error]
}
