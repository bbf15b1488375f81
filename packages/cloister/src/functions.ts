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

/** Whether a value has a `then` method: a promise, or a value that is awaited like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

/**
 * Whether a value is a promise, where a value must be there at once. What it rejects with is dropped, so that it ends no process: the
 * caller reports the promise itself.
 */
export function isLate(value: unknown): boolean {
  if (!isThenable(value)) return false
  value.then(undefined, () => {})
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

/** Puts members that are written as an object on a prototype; like those of a class they are not enumerable. */
export function addMembers(prototype: object, members: object): void {
  for (const name of Reflect.ownKeys(members)) {
    const descriptor = Object.getOwnPropertyDescriptor(members, name)
    Object.defineProperty(prototype, name, { ...descriptor, enumerable: false })
  }
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

/** The type of a value in the words of an error message. */
export function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Promise) return 'promise'
  return isFunction(value) && isAsyncFunction(value) ? 'async function' : typeof value
}
