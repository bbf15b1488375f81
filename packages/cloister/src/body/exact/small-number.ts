/**
 * Whether valid JSON may have a number that is read as 0 because its exponent has three digits or more.
 *
 * Most texts have few minus signs, and a search for one character is many times faster than a pattern.
 */
export function hasSmallNumber(text: string): boolean {
  for (let at = text.indexOf('-'); at !== -1; at = text.indexOf('-', at + BETWEEN)) {
    if (isExponent(text, at) && isAfterNumber(text, at - 1)) return true
  }
  return false
}

/** A digit and a letter come before the next sign of an exponent. */
const BETWEEN = 3
const LETTER_E = 101

/** @param at - the index of a minus sign */
function isExponent(text: string, at: number): boolean {
  const isLetter = (text.charCodeAt(at - 1) | 32) === LETTER_E
  return isLetter && isDigit(text, at + 1) && isDigit(text, at + 2) && isDigit(text, at + 3)
}

/** Whether the digits before an index are a number, and not a part of a text, such as of a UUID. */
function isAfterNumber(text: string, end: number): boolean {
  let at = end - 1
  while (isDigit(text, at) || text[at] === '.') at--
  if (text[at] === '-') at--
  return at < end - 1 && (at < 0 || BEFORE_NUMBER.test(text.charAt(at)))
}

const BEFORE_NUMBER = /[[:,\s]/

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}
