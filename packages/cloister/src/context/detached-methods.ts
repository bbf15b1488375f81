import { isFunction } from '../guards.ts'
import { kContext } from '../symbols.ts'

/** Methods of an app that also work detached, as in `const { close } = app`. */
export const DETACHED_METHODS: readonly string[] =
  'register after close onClose getSchemas hasRoute findRoute getDefaultRoute printRoutes printPlugins'.split(
    ' ',
  )

/** Detached methods that keep the context they were read from. */
export const DETACHED_METHODS_OF_CONTEXTS: readonly string[] = ['getSchemas']

/**
 * Gives an instance its own methods that remember it. Called on another instance, they use that instance; called
 * without `this`, they use the first one.
 */
export function bindMethods(instance: object, names: readonly string[]): void {
  for (const name of names) {
    const method: unknown = Reflect.get(instance, name)
    if (!isFunction(method)) continue
    const value = function (this: unknown, ...args: unknown[]): unknown {
      return method.apply(isInstance(this) ? this : instance, args)
    }
    Object.defineProperty(value, 'name', { value: name, configurable: true })
    Object.defineProperty(value, 'length', { value: method.length, configurable: true })
    Object.defineProperty(instance, name, { value, writable: true, configurable: true })
  }
}

function isInstance(value: unknown): value is object {
  return typeof value === 'object' && value !== null && kContext in value
}
