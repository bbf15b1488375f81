import { isObject } from '../guards.ts'

/** Recorded as the value of a property to delete. */
export const DELETED: unique symbol = Symbol('removed')

/**
 * Applies the edits recorded while a value was checked: object, key, value, object, key, value, …
 * @param length - how much of the list contains edits
 */
export function replay(log: readonly unknown[], length: number = log.length): void {
  for (let i = 0; i < length; i += 3) {
    const object = log[i]
    const key = log[i + 1]
    if (!isObject(object) || (typeof key !== 'string' && typeof key !== 'number')) continue
    const value = log[i + 2]
    if (value === DELETED) Reflect.deleteProperty(object, key)
    else setProperty(object, key, value)
  }
}

/** Sets a property if possible. Ignores frozen objects, as Ajv's code does, which is not in strict mode. */
export function setProperty(object: Record<PropertyKey, unknown>, key: PropertyKey, value: unknown): void {
  try {
    object[key] = value
  } catch {
    Reflect.set(object, key, value)
  }
}
