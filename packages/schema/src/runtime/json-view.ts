/** How predicates of serializers see values: as JSON represents them, without looking inside. */
import { isObject } from '../guards.ts'
import { unwrap } from './scalars.ts'

/** A date: a string of which only the type is known. */
export const anyDate: unique symbol = Symbol('date')

/** Returns a value as JSON represents it. */
export type JsonView = (raw: unknown) => unknown

/**
 * Creates a view. It copies an object if that is needed to hide inherited properties.
 * @param names - the properties that are read
 * @param isWhole - whether all properties are seen; undefined ones are then hidden
 * @param isShared - whether schemas that read other properties also see the object
 */
export function createJsonView(names: readonly string[], isWhole: boolean, isShared: boolean): JsonView {
  let last: unknown = Object.prototype
  let isLastBare = isBare(Object.prototype, names)
  const isRead = isLastBare && !isWhole
  const viewOf = (value: object): object => {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== last) {
      if (prototype === null || (prototype !== Object.prototype && isShared)) return ownOf(value)
      isLastBare = isBare(prototype, names)
      last = prototype
    }
    return isLastBare && !(isWhole && hasUndefined(value)) ? value : ownOf(value)
  }
  return (raw) => {
    if (typeof raw === 'bigint') return Math.max(-Number.MAX_VALUE, Math.min(Number(raw), Number.MAX_VALUE))
    if (!isObject(raw)) return raw
    const isSource = raw['toJSON'] !== undefined
    if (isRead && !isSource && Object.getPrototypeOf(raw) === Object.prototype) return raw
    const value = isSource ? unwrap(raw) : raw
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return value instanceof Date ? anyDate : viewOf(value)
  }
}

/** Whether objects with this prototype inherit no property that would be seen. */
function isBare(prototype: unknown, names: readonly string[]): boolean {
  if (!isObject(prototype)) return true
  const inherited: string[] = []
  for (const key in prototype) inherited.push(key)
  return inherited.length === 0 && !names.some((name) => name in prototype)
}

function hasUndefined(object: object): boolean {
  if (!isObject(object)) return false
  for (const key in object) if (object[key] === undefined) return true
  return false
}

function ownOf(object: object): object {
  const shown: Record<string, unknown> = { __proto__: null, ...object }
  for (const key of Object.keys(shown)) if (shown[key] === undefined) delete shown[key]
  return shown
}
