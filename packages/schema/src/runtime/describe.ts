/** Texts of error messages. */
import { pointedKey } from '../document/pointer.ts'
import { Misfit } from './errors.ts'

/** Describes a value, with an article: `a string`, `null`, `an instance of Map`. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid date'
  if (typeof value !== 'object') return `a ${typeof value}`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return 'an object'
  const { constructor } = value
  return typeof constructor === 'function' ? `an instance of ${constructor.name}` : 'an object'
}

/** Messages quote at most this many characters of a value. */
const QUOTED_LENGTH = 200

/** Returns the value as text for a message, cut if it is long; never throws. */
export function quoteValue(value: unknown): string {
  try {
    const text = String(value)
    return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text
  } catch {
    return describeValue(value)
  }
}

/** Throws the error for a value of the wrong type. */
export function misfit(expected: string, value: unknown, pointer: string): never {
  throw new Misfit(`expected ${expected}, got ${describeValue(value)}`, pointer)
}

/** Throws the error of Fastify 4.x for a value that cannot be converted. */
export function unconvertible(type: string, value: unknown, pointer: string): never {
  throw new Misfit(`The value "${quoteValue(value)}" cannot be converted to ${type}.`, pointer, true)
}

/** Throws the error for a missing required property; the last token of the pointer is its name. */
export function missing(pointer: string): never {
  const name = pointedKey(pointer.slice(pointer.lastIndexOf('/') + 1))
  throw new Misfit(`${JSON.stringify(name)} is required!`, pointer, true)
}

/** Throws an error for a value that the schema never allows. */
export function refuse(reason: string, pointer: string): never {
  throw new Misfit(reason, pointer)
}
