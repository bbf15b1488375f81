/** A function of the application whose arguments the framework decides. */
export type AnyFunction = (...args: unknown[]) => unknown

/** Whether a value is a function. */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** Whether a value is an object, neither an array nor a function. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Whether a value has a `then` method: a promise, or a value that is awaited like one. One whose `then` throws when it is
 * read is awaited too, and fails with that.
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
 * Waits for a value with a `then` method. Exactly one of the functions is called, once, whatever that method does: it may
 * throw, and it may call back twice.
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

/** What is returned to a promise would be looked at. */
const drop = (value: unknown): void => {
  hush(value)
}

/** What a promise rejects with is dropped, so that it ends no process. Returns the value, which may be any. */
export function hush<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  try {
    if (value instanceof Promise) value.then(nothing, drop)
  } catch {
    // It is no promise of ours.
  }
  return value
}

/**
 * Whether a callback that must be synchronous has returned a promise. Its rejection is dropped, because the caller
 * reports the promise itself.
 */
export function isLate(value: unknown): boolean {
  if (!isThenable(value)) return false
  whenSettled(value, nothing, drop)
  return true
}

/** Whether a function is `async`. */
export function isAsyncFunction(value: AnyFunction): boolean {
  return Object.prototype.toString.call(value) === '[object AsyncFunction]'
}

/** An object that inherits from another: what `Object.create` makes, with a type. */
export function inherit(parent: object, own: PropertyDescriptorMap = {}): object {
  const child = {}
  Object.setPrototypeOf(child, parent)
  return Object.defineProperties(child, own)
}

/**
 * Lets user code assign members that a prototype only computes: what is assigned becomes a property of that object,
 * and is seen by the objects that inherit from it.
 */
export function makeAssignable(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const computed = Object.getOwnPropertyDescriptor(prototype, name)
    if (computed === undefined) throw new Error(`assertion: the prototype has no member '${name}'`)
    Object.defineProperty(prototype, name, {
      ...computed,
      set(this: object, value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true })
      },
    })
  }
}

/** The value of a key in a map; made when it is first asked for. */
export function getOrMake<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** The type of a value in the words of an error message. */
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
