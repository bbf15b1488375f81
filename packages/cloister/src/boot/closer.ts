import { isFunction } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'

/**
 * What may stand for an `onClose` hook: a function, or a resource with `Symbol.asyncDispose` or `Symbol.dispose`,
 * whose end is then waited for. Anything else is handed back as it is, for the check of hooks to refuse.
 */
export function asCloser(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const dispose = methodOf(given, Symbol.asyncDispose) ?? methodOf(given, Symbol.dispose)
  if (dispose === null) return given
  return async (): Promise<void> => {
    await dispose.call(given)
  }
}

function methodOf(resource: object, name: symbol): AnyFunction | null {
  const method: unknown = Reflect.get(resource, name)
  return isFunction(method) ? method : null
}
