import { isFunction } from '../guards.ts'
import { kContext } from '../symbols.ts'

/** Methods of an app that also work without it, as in `const { close } = app`. */
export const DETACHED_METHODS: readonly string[] =
  'register after close onClose getSchemas hasRoute findRoute getDefaultRoute printRoutes printPlugins'.split(
    ' ',
  )

/** The methods that keep the context from which they were read. */
export const DETACHED_METHODS_OF_CONTEXTS: readonly string[] = ['getSchemas']

/**
 * Gives an instance methods of its own that remember it: called on another instance they are that one's methods, called
 * on nothing those of this one.
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
