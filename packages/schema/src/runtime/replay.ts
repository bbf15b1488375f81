import { isObject } from '../guards.ts'

/** Recorded as the value of a property that is to be deleted. */
export const DELETED: unique symbol = Symbol('removed')

/**
 * Makes the edits that were noted while a value was checked: object, key, value, object, key, value, …
 * @param length - how much of the list holds edits
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

/** Sets a property where it can be set. What is frozen stays as it is: Ajv's code is not strict, and goes on. */
export function setProperty(object: Record<PropertyKey, unknown>, key: PropertyKey, value: unknown): void {
  try {
    object[key] = value
  } catch {
    Reflect.set(object, key, value)
  }
}
