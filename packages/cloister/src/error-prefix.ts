import { CODE_PREFIX, isErrorName, nameUnder } from './errors.ts'
import { look, put } from './foreign.ts'
import { isFunction, type AnyFunction } from './guards.ts'
import { isError } from './read-error.ts'

/** The options that decide the codes of errors. */
export type Prefixed = { readonly errorCodePrefix: string }

/**
 * Replaces the prefix of an error's code with that of its app (option `errorCodePrefix`), and returns the error. Errors
 * are created without access to the app, so each path that passes errors to the application calls this once.
 */
export function prefixCode<T>(thrown: T, { errorCodePrefix: prefix }: Prefixed): T {
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
export function withPrefix<T>(options: Prefixed, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw prefixCode(error, options)
  }
}

/**
 * Overrides the members of a prototype, own and inherited, so that the errors that they throw or reject with get the
 * prefix. It overrides every member with a name, so that none can be forgotten.
 *
 * @param prototype - made for one app
 */
export function prefixMembers(prototype: object, options: Prefixed): void {
  if (options.errorCodePrefix === CODE_PREFIX) return
  const own: PropertyDescriptorMap = {}
  let owner: object | null = prototype
  while (owner !== null && owner !== Object.prototype) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (name !== 'constructor') own[name] ??= prefixed(property, options)
    owner = Reflect.getPrototypeOf(owner)
  }
  Object.defineProperties(prototype, own)
}

function prefixed({ get, set, ...property }: PropertyDescriptor, options: Prefixed): PropertyDescriptor {
  const value: unknown = property.value
  if (isFunction(value)) return { ...property, value: wrap(value, options) }
  if (get === undefined && set === undefined) return property
  return { ...property, ...(get && { get: wrap(get, options) }), ...(set && { set: wrap(set, options) }) }
}

// Without a closure for each call: handlers read members of the request in a hot path.
function wrap(fn: AnyFunction, options: Prefixed): AnyFunction {
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    let result: unknown
    try {
      result = fn.apply(this, args)
    } catch (error) {
      throw prefixCode(error, options)
    }
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      throw prefixCode(error, options)
    })
  }
  return Object.defineProperties(wrapped, { name: { value: fn.name }, length: { value: fn.length } })
}
