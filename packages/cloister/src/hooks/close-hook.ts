import { isFunction } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'

/**
 * Returns an `onClose` hook that disposes of a resource, an object with `Symbol.asyncDispose` or `Symbol.dispose`, and
 * waits for its end. Any other value is returned as it is, and the check of hooks refuses it.
 */
export function toCloseHook(given: unknown): unknown {
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
