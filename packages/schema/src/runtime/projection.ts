/** Conversions of values for the projecting back end. */
import { defineOwn } from '../guards.ts'
import { hasOwnJson, hasToJson, toJsonOf } from './json-text.ts'

/**
 * Thrown for a number that no JavaScript number can represent, and for a value that contains a `toJSON`; the other
 * back end then writes the value.
 */
export class NotProjectable extends Error {}

/** Returns a converted number as a JavaScript number. @throws {@link NotProjectable} if there is none */
export function projectable(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new NotProjectable()
  return number
}

/** Returns an untyped value after its `toJSON`; `undefined` if it has no JSON text. */
export function anyValue(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (hasToJson(value)) return anyValue(toJsonOf(value))
  if (hasOwnJson(value)) throw new NotProjectable()
  return value
}

/** Does the same as {@link anyValue}, with `null` instead of `undefined`. */
export function anyValueOrNull(value: unknown): unknown {
  const any = anyValue(value)
  return any === undefined ? null : any
}

/** Sets an own property of any name, including `__proto__`; skips `undefined`. */
export function putProperty(object: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) return
  if (key === '__proto__') {
    defineOwn(object, key, value)
  } else {
    object[key] = value
  }
}
