import { isLate } from '../late.ts'

/*
 * `JSON.stringify` calls each `toJSON` within a value. It hides the mistake of an `async toJSON`: it writes the
 * promise as `{}` and drops it, so its rejection ends the process. A replacer sees the promise, but doubles the
 * cost. So only values with a `toJSON` of the application get a replacer, and the search for these is limited: the
 * items of a list are mostly of one kind.
 */

const MAX_DEPTH = 8
const MAX_ITEMS = 4
const MAX_OBJECTS = 64

/** These return text at once. */
const BUILT_IN: ReadonlySet<unknown> = new Set<unknown>([Date.prototype.toJSON, URL.prototype.toJSON])

/** Returns JSON text; `undefined` if a value has none. @throws TypeError for a `toJSON` that returns a promise */
export function jsonText(value: unknown): string | undefined {
  return hasOwnJson(value) ? JSON.stringify(value, refusing) : JSON.stringify(value)
}

function refusing(this: unknown, key: string, value: unknown): unknown {
  // A promise that the application has put there itself does not come from `toJSON`.
  return typeof value === 'object' && value !== null && Reflect.get(Object(this), key) !== value
    ? refuseLate(value)
    : value
}

/** Whether a value has a `toJSON` of the application, within the limits of the search. */
export function hasOwnJson(value: unknown): boolean {
  return typeof value === 'object' && value !== null && search(value, { left: MAX_OBJECTS }, 0)
}

function search(value: object, budget: { left: number }, depth: number): boolean {
  if (budget.left-- <= 0 || depth > MAX_DEPTH) return false
  if ('toJSON' in value && typeof value.toJSON === 'function') return !BUILT_IN.has(value.toJSON)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const end = Math.min(items.length, MAX_ITEMS)
    for (let i = 0; i < end; i++) if (searchPart(items[i], budget, depth)) return true
    return false
  }
  for (const key in value) if (searchPart(Reflect.get(value, key), budget, depth)) return true
  return false
}

function searchPart(part: unknown, budget: { left: number }, depth: number): boolean {
  return typeof part === 'object' && part !== null && search(part, budget, depth + 1)
}

interface JsonSource {
  toJSON(): unknown
}

/** Whether an object has a `toJSON` method. */
export function hasToJson(value: object): value is JsonSource {
  return 'toJSON' in value && typeof value.toJSON === 'function'
}

/** Returns the result of an object's `toJSON`, or the value itself. */
export function callToJson(value: unknown): unknown {
  return typeof value === 'object' && value !== null && hasToJson(value) ? toJsonOf(value) : value
}

/** Calls `toJSON`. @throws TypeError when it returns a promise */
export function toJsonOf(value: JsonSource): unknown {
  return refuseLate(value.toJSON())
}

/** Returns the result of a `toJSON`. Throws for a promise, and ignores its rejection. */
export function refuseLate(result: unknown): unknown {
  if (!isLate(result)) return result
  throw new TypeError(
    'toJSON returned a promise: JSON is written at once; await what it needs before the value is sent',
  )
}
