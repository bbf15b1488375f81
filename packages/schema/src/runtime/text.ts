/** JSON text of strings and of values without a schema. */
import { isStackOverflow } from '../nesting.ts'
import { Misfit } from './errors.ts'
import { pointerToken } from '../document/pointer.ts'
import { jsonText } from './json-text.ts'
import { FAST_NATIVE_V8, v8Major } from './v8.ts'
import { compatText, strictText } from './scalars.ts'

const NEEDS_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/
/** Up to this length a loop over the characters is faster than a regular expression. */
const SHORT_TEXT_LENGTH = 20
/** From this length on, `JSON.stringify` escapes faster than the regular expression, on engines where it is fast. */
const LONG_TEXT_LENGTH = v8Major() < FAST_NATIVE_V8 ? Number.POSITIVE_INFINITY : 5000

/** Returns the content of a JSON string, without the quotes. */
export function escapeText(text: string): string {
  const { length } = text
  if (length >= SHORT_TEXT_LENGTH) {
    return length >= LONG_TEXT_LENGTH || NEEDS_ESCAPE.test(text) ? JSON.stringify(text).slice(1, -1) : text
  }
  for (let i = 0; i < length; i++) {
    const codeUnit = text.charCodeAt(i)
    if (
      codeUnit < 0x20 ||
      codeUnit === 0x22 ||
      codeUnit === 0x5c ||
      (codeUnit >= 0xd800 && codeUnit <= 0xdfff)
    ) {
      return JSON.stringify(text).slice(1, -1)
    }
  }
  return text
}

/** Does the same as {@link escapeText}, for the value of a string field in compat mode. */
export function compatStringText(value: unknown, pointer: string): string {
  return escapeText(typeof value === 'string' ? value : compatText(value, pointer))
}

/** Does the same as {@link escapeText}, for the value of a string field in strict mode. */
export function strictStringText(value: unknown, pointer: string): string {
  return escapeText(typeof value === 'string' ? value : strictText(value, pointer))
}

/** Returns the JSON text of any value; `undefined` if it has none (undefined, functions, symbols). */
export function anyText(value: unknown, pointer: string): string | undefined {
  switch (typeof value) {
    case 'string':
      return `"${escapeText(value)}"`
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      return nativeText(value, pointer)
  }
}

/** Returns the JSON text of an array item: `null` for a value without JSON text, as in `JSON.stringify`. */
export function itemText(value: unknown, pointer: string): string {
  return anyText(value, pointer) ?? 'null'
}

/** Calls `JSON.stringify`; throws an error with the pointer for a value that cannot be written. */
export function nativeText(value: unknown, pointer: string): string | undefined {
  try {
    return jsonText(value)
  } catch (error) {
    throw unwritable(value, pointer, error)
  }
}

function unwritable(value: unknown, pointer: string, error: unknown): unknown {
  if (isStackOverflow(error)) {
    return new Misfit('the value is nested too deeply', pointer)
  }
  const found = findUnwritable(value, [])
  return found === undefined ? error : new Misfit(found.reason, pointer + found.pointer)
}

interface Unwritable {
  readonly reason: string
  readonly pointer: string
}

function findUnwritable(value: unknown, ancestors: readonly unknown[]): Unwritable | undefined {
  if (typeof value === 'bigint') {
    return { reason: 'a bigint without a schema has no JSON text; declare an integer', pointer: '' }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (ancestors.includes(value)) return { reason: 'the value contains itself', pointer: '' }
  const below = [...ancestors, value]
  for (const [key, entry] of Object.entries(value)) {
    const found = findUnwritable(entry, below)
    if (found !== undefined) return { reason: found.reason, pointer: `/${pointerToken(key)}${found.pointer}` }
  }
  return undefined
}
