import { CODE_PREFIX, isErrorName, nameUnder } from './errors.ts'
import { look, put } from './foreign.ts'
import { inherit, isFunction, type AnyFunction } from './guards.ts'
import { isError } from './read-error.ts'

/**
 * Replaces the prefix of an error's code with that of its app (option `errorCodePrefix`), and returns the error. Errors
 * are created without access to the app, so each path that passes errors to the application calls this once.
 */
export function prefixCode<T>(thrown: T, prefix: string): T {
  if (prefix === CODE_PREFIX || !isError(thrown)) return thrown
  const code = look(thrown, 'code')
  if (typeof code !== 'string' || !code.startsWith(CODE_PREFIX)) return thrown
  const name = code.slice(CODE_PREFIX.length)
  if (!isErrorName(name)) return thrown
  put(thrown, 'code', `${prefix}${name}`)
  if (look(thrown, 'name') === 'CloisterError') put(thrown, 'name', nameUnder(prefix, name))
  return thrown
}

/** Runs a function and gives the errors that it throws the prefix. */
export function withPrefix<T>(prefix: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw prefixCode(error, prefix)
  }
}

/**
 * Returns the prototype of instances for an app. Errors that its methods throw or reject with get the prefix; accessors
 * stay unchanged.
 */
export function prefixMethods(prototype: object, prefix: string): object {
  if (prefix === CODE_PREFIX) return prototype
  const wrapped = inherit(prototype)
  const members = Object.entries(Object.getOwnPropertyDescriptors(prototype))
  const methods = members.filter(([, { value }]) => isFunction(value)).map(([name]) => name)
  prefixMembers(wrapped, methods, prefix)
  return wrapped
}

/**
 * Overrides members of a prototype so that the errors they throw get the prefix.
 *
 * @param prototype - made for one app; it inherits the members from its own prototype
 * @param names - the methods and accessors that throw coded errors
 */
export function prefixMembers(prototype: object, names: readonly string[], prefix: string): void {
  for (const name of names) {
    const { get, set, ...property } = findProperty(prototype, name)
    const value: unknown = property.value
    const wrapped = isFunction(value)
      ? { value: wrap(value, prefix), writable: true }
      : { ...(get && { get: wrap(get, prefix) }), ...(set && { set: wrap(set, prefix) }) }
    Object.defineProperty(prototype, name, { ...wrapped, configurable: true })
  }
}

function wrap(fn: AnyFunction, prefix: string): AnyFunction {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    const result = withPrefix(prefix, () => fn.apply(this, args))
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      throw prefixCode(error, prefix)
    })
  }
  return Object.defineProperties(wrapped, { name: { value: fn.name }, length: { value: fn.length } })
}

function findProperty(prototype: object, name: string): PropertyDescriptor {
  let owner: object | null = prototype
  while (owner !== null) {
    const property = Object.getOwnPropertyDescriptor(owner, name)
    if (property !== undefined) return property
    owner = Reflect.getPrototypeOf(owner)
  }
  throw new Error(`assertion: the prototype has no member '${name}'`)
}
