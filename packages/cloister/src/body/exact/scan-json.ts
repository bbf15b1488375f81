const QUOTE = 34
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const BACKSLASH = 92
const LETTER_D = 100
const LETTER_E = 101
const LETTER_U = 117

/** With at most this many digits, a decimal without exponent has a number of its own. */
const DIGITS_OF_NUMBERS = 15

/** A number may not be read as it was written: it has many digits, or an exponent. */
export const HAS_LONG_NUMBER = 1
/** A text has an escape of a surrogate. */
export const HAS_SURROGATE = 2
/** The position of the count of names in the result. */
const COUNT_SHIFT = 2

/** Returns the number of members that a scan has counted. */
export const namesOf = (scan: number): number => scan >> COUNT_SHIFT

/**
 * Scans the text of valid JSON once: counts the members of all its objects, and finds what needs a closer look.
 *
 * @returns {@link HAS_LONG_NUMBER} and {@link HAS_SURROGATE}, with the count for {@link namesOf}
 */
export function scanJson(text: string): number {
  const { length } = text
  let names = 0
  let found = 0
  let digits = 0
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      for (let inner = text.charCodeAt(++at); inner !== QUOTE; inner = text.charCodeAt(++at)) {
        if (inner !== BACKSLASH) continue
        if (text.charCodeAt(++at) === LETTER_U && isSurrogate(text, at)) found |= HAS_SURROGATE
      }
    } else if (code === COLON) names++
    else if (code >= ZERO && code <= NINE) {
      if (++digits > DIGITS_OF_NUMBERS) found |= HAS_LONG_NUMBER
    } else if (code !== POINT) {
      if (digits > 0 && (code | 32) === LETTER_E) found |= HAS_LONG_NUMBER
      digits = 0
    }
  }
  return (names << COUNT_SHIFT) | found
}

/** Whether the escape whose `u` is at a position is that of a surrogate: d800 to dfff. */
function isSurrogate(text: string, at: number): boolean {
  if ((text.charCodeAt(at + 1) | 32) !== LETTER_D) return false
  const next = text.charCodeAt(at + 2)
  return next > NINE || next >= ZERO + 8
}

/** Counts the members of all objects in a value that was read from JSON. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  const open: object[] = [value]
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const isList = Array.isArray(current)
    for (const name in current) {
      if (!isList) count++
      const member: unknown = Reflect.get(current, name)
      if (typeof member === 'object' && member !== null) open.push(member)
    }
  }
  return count
}
