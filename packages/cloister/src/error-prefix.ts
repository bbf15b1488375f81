import { CODE_PREFIX, isErrorName } from './errors.ts'
import { inherit, isFunction } from './functions.ts'

/**
 * Gives an error of the catalogue the prefix of the app that it leaves (option `errorCodePrefix`). Errors are made in
 * places that know no app; they get the prefix on their way to the application, at one place for each way.
 */
export function prefixCode(thrown: unknown, prefix: string): void {
  if (prefix === CODE_PREFIX || !(thrown instanceof Error) || !('code' in thrown)) return
  const { code } = thrown
  if (typeof code !== 'string' || !code.startsWith(CODE_PREFIX)) return
  const name = code.slice(CODE_PREFIX.length)
  if (isErrorName(name)) Reflect.set(thrown, 'code', `${prefix}${name}`)
}

/** Runs a function; what it throws gets the prefix. */
export function withPrefix<T>(prefix: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    prefixCode(error, prefix)
    throw error
  }
}

/** A promise whose error gets the prefix; any other value as it is. */
function settlePrefixed(result: unknown, prefix: string): unknown {
  if (!(result instanceof Promise)) return result
  return result.catch((error: unknown) => {
    prefixCode(error, prefix)
    throw error
  })
}

/** An object with the methods of an instance; what they throw, and what their promises reject with, gets the prefix. */
export function prefixMethods(instance: object, prefix: string): object {
  if (prefix === CODE_PREFIX) return instance
  const wrapped = inherit(instance)
  for (const name of methodNames(instance)) {
    const method: unknown = Reflect.get(instance, name)
    if (!isFunction(method)) continue
    const value = function (this: unknown, ...args: unknown[]): unknown {
      return withPrefix(prefix, () => settlePrefixed(method.apply(this, args), prefix))
    }
    Object.defineProperty(value, 'name', { value: name, configurable: true })
    Object.defineProperty(value, 'length', { value: method.length, configurable: true })
    Object.defineProperty(wrapped, name, { value, writable: true, configurable: true })
  }
  return wrapped
}

/** The names of the methods of an object and its prototypes; accessors are left alone. */
function methodNames(instance: object): string[] {
  const names = new Set<string>()
  let owner: object | null = instance
  while (owner !== null && owner !== Object.prototype) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name !== 'constructor' && isFunction(value)) names.add(name)
    }
    owner = Reflect.getPrototypeOf(owner)
  }
  return [...names]
}
