import { isObject, isPlainObject } from '../guards.ts'

/**
 * Copies the plain part of a schema: objects and arrays are new, everything else (functions, class instances) is the
 * same. Getters become values, and symbol keys stay.
 */
export function cloneSchema(value: unknown, seen: Map<unknown, unknown> = new Map()): unknown {
  if (!isObject(value)) return value
  const known = seen.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    seen.set(value, copy)
    for (const item of value) copy.push(cloneSchema(item, seen))
    return copy
  }
  if (!isPlainObject(value)) return value
  const copy = {}
  seen.set(value, copy)
  for (const key of Reflect.ownKeys(value)) {
    if (!Object.prototype.propertyIsEnumerable.call(value, key)) continue
    Object.defineProperty(copy, key, {
      value: cloneSchema(Reflect.get(value, key), seen),
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  return copy
}
