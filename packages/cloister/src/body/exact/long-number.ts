/** With fewer digits in a row, a decimal has a number of its own (if it has no exponent). */
const DIGITS = 16

/**
 * Which numbers with {@link DIGITS} digits in a row, with or without points, are looked for: those that were read as
 * integers or as infinite, or also the others, which are the nearest doubles.
 */
export type Digits = 'none' | 'integers' | 'all'

/** No index; small integers keep the loop over rows fast. */
export const NEVER = 0x7f_ff_ff_ff

/**
 * Reads the digits around a byte.
 *
 * @param at - the index of a digit
 * @returns the index after them; {@link NEVER} if they may be a number that counts
 */
export function endOfDigits(bytes: Uint8Array, at: number, digits: Digits): number {
  let from = at
  let to = at
  while (isDigit(bytes[from - 1])) from--
  while (isDigit(bytes[to + 1])) to++
  const next = to + 1
  if (next - from < DIGITS) return next
  const any = digits === 'all'
  if (any || !isFarFromIntegers(bytes, from, to)) {
    while (isOfNumber(bytes[from - 1])) from--
    while (isOfNumber(bytes[to + 1])) to++
    // A text that begins with digits is no number.
    if (bytes[from - 1] !== QUOTE && (any || isDoubtful(bytes, from, to))) return NEVER
  }
  return to + 1
}

function isDoubtful(bytes: Uint8Array, from: number, to: number): boolean {
  let literal = ''
  for (let at = from; at <= to; at++) literal += String.fromCharCode(bytes[at] ?? 0)
  const number = Number(literal)
  return Number.isInteger(number) || number - number !== 0
}

/** With so many digits, a number with a fraction from 0.01 to 0.99 is rounded by less than 0.001. */
const MAX_WHOLE_DIGITS = 13

/** Whether a number has a fraction that does not begin with 00 or 99, and no exponent: most doubles do. */
function isFarFromIntegers(bytes: Uint8Array, from: number, to: number): boolean {
  let point = from
  while (point <= to && bytes[point] !== POINT) point++
  const tenths = bytes[point + 1]
  const hundredths = bytes[point + 2]
  if (point - from > MAX_WHOLE_DIGITS || point + 2 > to) return false
  if (tenths === hundredths && (tenths === ZERO || tenths === NINE)) return false
  return !isMark(bytes[from - 1]) && !isMark(bytes[to + 1])
}

const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const QUOTE = 34

/** Whether a byte is one of a number. */
function isOfNumber(code: number | undefined): boolean {
  return isDigit(code) || isMark(code) || code === MINUS
}

/** Whether a byte is one of an exponent: its letter, or a plus. */
function isMark(code: number | undefined): boolean {
  return code === 43 || code === 69 || code === 101
}

/** Whether a byte is a digit or a point. */
function isDigit(code: number | undefined): boolean {
  return code !== undefined && code <= 57 && code >= 46 && code !== 47
}
