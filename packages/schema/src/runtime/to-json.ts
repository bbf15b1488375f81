/** An object that defines its own JSON. */
import { isLate } from '../late.ts'

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

/** Returns the result of a `toJSON`; one that is there later has no JSON now, and what it rejects with is dropped. */
export function refuseLate(result: unknown): unknown {
  if (!isLate(result)) return result
  throw new TypeError(
    'toJSON returned a promise: JSON is written at once; await what it needs before the value is sent',
  )
}
