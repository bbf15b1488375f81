import { isFieldName, isFieldValue } from '../message/field.ts'

/** Octets with a meaning in HTTP/1.1 messages. */
export const LF = 10
export const CR = 13
export const SPACE = 32
export const COLON = 58

/** Maps each octet of a token (RFC 9110 section 5.6.2) to the code of its lower-case letter, and all others to 0. */
export const TOKEN: Uint8Array = tableOf((character) =>
  isFieldName(character) ? character.toLowerCase().charCodeAt(0) : 0,
)

/** White space around a field value (RFC 9110 section 5.6.3). */
export const BLANK: Uint8Array = tableOf((character) => (character === ' ' || character === '\t' ? 1 : 0))

/** Octets of a field value (RFC 9110 section 5.5): visible ones, blanks, and those above ASCII. */
export const FIELD_VALUE: Uint8Array = tableOf((character) => (isFieldValue(character) ? 1 : 0))

/**
 * Octets of a target in origin form (RFC 9112 section 3.2.1): visible ASCII except `#`, since clients never send a
 * fragment.
 */
export const TARGET: Uint8Array = tableOf((character) => (/[!"$-~]/.test(character) ? 1 : 0))

/** Makes a table of what a function returns for each octet, as a character. */
export function tableOf(valueOf: (character: string) => number): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, octet) => valueOf(String.fromCharCode(octet)))
}

/** Returns the octets of a lower-case word, to compare with. */
export function octetsOf(word: string): Uint8Array {
  return Uint8Array.from(word, (character) => character.charCodeAt(0))
}

/** Whether the octets from `start` to `end` are a word of lower-case token characters, ignoring case. */
export function isWord(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  const { length } = word
  if (end - start !== length) return false
  for (let i = 0; i < length; i++) {
    if (TOKEN[bytes[start + i] ?? 0] !== word[i]) return false
  }
  return true
}
