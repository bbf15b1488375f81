/** An application function; the framework decides its arguments. */
export type AnyFunction = (...args: unknown[]) => unknown

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** An object of the application, whatever its members are. */
export type Dictionary = Readonly<Record<string, unknown>>

/** Returns whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value itself if it is an object and not an array; otherwise an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** Returns those of the names whose own value in an object is `undefined`, as with a misspelt import. */
export function undefinedNames(given: Dictionary, names: readonly string[]): string[] {
  return names.filter((name) => Object.hasOwn(given, name) && given[name] === undefined)
}

/**
 * Returns whether a value has a `then` method. If reading `then` throws, the value counts as thenable too, and awaiting
 * it rejects with that error.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  try {
    return 'then' in value && typeof value.then === 'function'
  } catch (error) {
    hush(error)
    return true
  }
}

/**
 * Waits for a thenable. Exactly one of the functions is called, once, even if the `then` method throws or calls back
 * twice.
 */
export function whenSettled(
  pending: PromiseLike<unknown>,
  fulfilled: (value: unknown) => void,
  rejected: (error: unknown) => void,
): void {
  let isSettled = false
  const settle = (call: (value: unknown) => void, value: unknown): void => {
    if (isSettled) {
      hush(value)
      return
    }
    isSettled = true
    call(value)
  }
  try {
    if (pending instanceof Promise) pending.then(fulfilled, rejected)
    else {
      pending.then(
        (value) => settle(fulfilled, value),
        (error: unknown) => settle(rejected, error),
      )
    }
  } catch (error) {
    settle(rejected, error)
  }
}

const nothing = (): void => {}

/** Returning the value would make the promise inspect it for a `then` method. */
const drop = (value: unknown): void => {
  hush(value)
}

/** Prevents the rejection of a promise from ending the process. Accepts and returns any value. */
export function hush<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  try {
    if (value instanceof Promise) value.then(nothing, drop)
  } catch {
    // Not a native promise.
  }
  return value
}

/**
 * Returns whether a callback that must be synchronous has returned a promise. Its rejection is ignored because the
 * caller reports the promise.
 */
export function isLate(value: unknown): boolean {
  if (!isThenable(value)) return false
  whenSettled(value, nothing, drop)
  return true
}

export function isAsyncFunction(value: AnyFunction): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}

/** Creates an object that inherits from another: `Object.create` with a type. */
export function inherit(parent: object, own: PropertyDescriptorMap = {}): object {
  const child = {}
  Object.setPrototypeOf(child, parent)
  return Object.defineProperties(child, own)
}

/**
 * Lets user code assign members that are getters of a prototype. The assigned value becomes a property of that object,
 * and objects that inherit from it see it.
 */
export function makeAssignable(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const computed = Object.getOwnPropertyDescriptor(prototype, name)
    // A sealed worker has only the members that its app names.
    if (computed === undefined) continue
    Object.defineProperty(prototype, name, {
      ...computed,
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true })
      },
    })
  }
}

/** Returns the type of a value for error messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  try {
    if (Array.isArray(value)) return 'array'
    if (value instanceof Promise) return 'promise'
    return isFunction(value) && isAsyncFunction(value) ? 'async function' : typeof value
  } catch {
    return typeof value
  }
}
