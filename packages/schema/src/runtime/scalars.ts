/** Conversions of single values. Generated code has the fast paths; these functions handle the other values. */
import { misfit, unconvertible } from './describe.ts'
import { hasToJson, toJsonOf } from './json-text.ts'

/** Returns the result of an object's `toJSON`, or the value itself; does not convert dates. */
export function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (hasToJson(value)) return toJsonOf(value)
  if (value instanceof String || value instanceof Number || value instanceof Boolean) return value.valueOf()
  return value
}

/** Does the same as {@link unwrap}, but keeps an object that has its own `toString` and whose JSON is not a string. */
export function unwrapText(value: unknown): unknown {
  const unwrapped = unwrap(value)
  return typeof unwrapped === 'object' && isTextObject(value) ? value : unwrapped
}

/** Whether a value is an object with its own `toString`, not an array or a date. */
export function isTextObject(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    typeof value.toString === 'function' &&
    value.toString !== Object.prototype.toString
  )
}

/** Returns the ISO 8601 text of a date; throws for an invalid date. */
export function isoText(date: Date, pointer: string): string {
  if (Number.isNaN(date.getTime())) return misfit('a valid date', date, pointer)
  return date.toISOString()
}

/** Converts a value that is not a string to text, as Fastify 4.x does. */
export function compatText(value: unknown, pointer: string): string {
  if (value === null) return ''
  if (value instanceof Date) return isoText(value, pointer)
  if (value instanceof RegExp) return value.source
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  const unwrapped = unwrap(value)
  if (typeof unwrapped === 'string') return unwrapped
  if (isTextObject(value) || Array.isArray(value)) return String(value)
  return misfit('a string', value, pointer)
}

/** Converts a value to text in strict mode: a date, or an object whose JSON is a string. */
export function strictText(value: unknown, pointer: string): string {
  if (value instanceof Date) return isoText(value, pointer)
  const unwrapped = unwrap(value)
  return typeof unwrapped === 'string' ? unwrapped : misfit('a string', value, pointer)
}

/** Converts a value to a number; `Infinity` becomes `null`, as in Fastify 4.x. */
export function compatNumber(value: unknown, pointer: string): number | bigint | null {
  if (typeof value === 'bigint') return value
  const number = toNumber(value)
  if (Number.isNaN(number)) return unconvertible('a number', value, pointer)
  return Number.isFinite(number) ? number : null
}

/** Converts a value to a number in strict mode: a finite number, a bigint, or an object whose JSON is one. */
export function strictNumber(value: unknown, pointer: string): number | bigint {
  const unwrapped = unwrap(value)
  if (typeof unwrapped === 'bigint') return unwrapped
  if (typeof unwrapped === 'number' && Number.isFinite(unwrapped)) return unwrapped
  return typeof unwrapped === 'number'
    ? misfit(`a finite number instead of ${unwrapped}`, value, pointer)
    : misfit('a number', value, pointer)
}

/** Converts a value that is not an integer to the text of a number field, in compat mode. */
export function compatNumberText(value: unknown, pointer: string): string | bigint | null {
  if (typeof value === 'number' && Number.isFinite(value)) return numberText(value)
  const number = compatNumber(value, pointer)
  return typeof number === 'number' ? numberText(number) : number
}

/** Does the same as {@link compatNumberText}, in strict mode. */
export function strictNumberText(value: unknown, pointer: string): string | bigint {
  if (typeof value === 'number' && Number.isFinite(value)) return numberText(value)
  const number = strictNumber(value, pointer)
  return typeof number === 'number' ? numberText(number) : number
}

/** Converts a value to an integer, as Fastify 4.x does. */
type IntegerOf = (value: unknown, pointer: string) => number | bigint

/** Drops the fraction. */
export const truncInteger: IntegerOf = /* @__PURE__ */ roundedBy(Math.trunc)
/** Rounds down. */
export const floorInteger: IntegerOf = /* @__PURE__ */ roundedBy(Math.floor)
/** Rounds up. */
export const ceilInteger: IntegerOf = /* @__PURE__ */ roundedBy(Math.ceil)
/** Rounds to the nearest integer. */
export const roundInteger: IntegerOf = /* @__PURE__ */ roundedBy(Math.round)

function roundedBy(round: (value: number) => number): IntegerOf {
  return (value, pointer) => {
    if (typeof value === 'bigint') return value
    const integer = round(toNumber(value))
    return Number.isFinite(integer) ? integer : unconvertible('an integer', value, pointer)
  }
}

/** Converts a value to an integer in strict mode. */
export function strictInteger(value: unknown, pointer: string): number | bigint {
  const unwrapped = unwrap(value)
  if (typeof unwrapped === 'bigint') return unwrapped
  if (typeof unwrapped === 'number' && Number.isInteger(unwrapped)) return unwrapped
  return typeof unwrapped === 'number'
    ? misfit(`an integer instead of ${unwrapped}`, value, pointer)
    : misfit('an integer', value, pointer)
}

/**
 * Converts a value to a boolean by truthiness, as Fastify 4.x does; unwraps boxed booleans, and reads `"false"` as
 * false.
 */
export function compatBoolean(value: unknown, pointer: string): boolean {
  if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) {
    return misfit('a boolean', value, pointer)
  }
  if (value instanceof Boolean) return value.valueOf()
  return value !== 'false' && Boolean(value)
}

/** Converts a value to a boolean in strict mode. */
export function strictBoolean(value: unknown, pointer: string): boolean {
  const unwrapped = unwrap(value)
  return typeof unwrapped === 'boolean' ? unwrapped : misfit('a boolean', value, pointer)
}

/** Returns `null` in strict mode, and throws for any other value. */
export function strictNull(value: unknown, pointer: string): null {
  return unwrap(value) === null ? null : misfit('null', value, pointer)
}

function toNumber(value: unknown): number {
  if (typeof value === 'function' || typeof value === 'symbol') return Number.NaN
  try {
    return Number(value)
  } catch {
    return Number.NaN
  }
}

/**
 * The text of fractions. V8 needs some 70 ns to convert a double to text. Prices, ratings and percentages have at
 * most two decimals; two integers and a table give the same text for them.
 *
 * The text is the same because the language prescribes the shortest decimal that reads back as the number, and a
 * decimal with at most 15 digits that reads back is that one.
 */
const FRACTIONS: readonly string[] = /* @__PURE__ */ Array.from({ length: 100 }, (_, hundredths) =>
  String(hundredths / 100).slice(1),
)
/** Up to this number, V8 stores the hundredths as small integers. */
const LIMIT = 10_000_000

/** Returns the text of a finite number, as `String` does. */
export function numberText(value: number): string {
  if (value >= 0 && value < LIMIT) {
    const hundredths = Math.round(value * 100)
    if (hundredths / 100 === value) {
      const whole = Math.floor(hundredths / 100)
      return `${whole}${FRACTIONS[hundredths - whole * 100]}`
    }
  }
  return `${value}`
}
