import { isObject, isPlainObject } from '../guards.ts'
import type { KeywordsOf } from './object-cycle.ts'

/**
 * Copies the plain part of a schema: objects and arrays are new, everything else (functions, class instances) is the
 * same. Getters become values, and symbol keys stay.
 * @param emptied - these keywords have an empty value in the copy
 */
export function cloneSchema(
  value: unknown,
  emptied?: KeywordsOf,
  seen: Map<unknown, unknown> = new Map(),
): unknown {
  if (!isObject(value)) return value
  const known = seen.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value)) {
    const copy: unknown[] = []
    seen.set(value, copy)
    for (const item of value) copy.push(cloneSchema(item, emptied, seen))
    return copy
  }
  if (!isPlainObject(value)) return value
  const copy = {}
  seen.set(value, copy)
  const own = emptied?.get(value)
  for (const key of Reflect.ownKeys(value)) {
    if (!Object.prototype.propertyIsEnumerable.call(value, key)) continue
    const entry: unknown = Reflect.get(value, key)
    const isEmptied = typeof key === 'string' && own?.has(key) === true
    Object.defineProperty(copy, key, {
      value: isEmptied ? (Array.isArray(entry) ? [] : {}) : cloneSchema(entry, emptied, seen),
      writable: true,
      enumerable: true,
      configurable: true,
    })
  }
  return copy
}
