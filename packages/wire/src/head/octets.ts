/** Octets with a meaning in HTTP/1.1 messages. */
export const TAB = 9
export const LF = 10
export const CR = 13
export const SPACE = 32
export const COLON = 58

/** The characters of a token (RFC 9110 section 5.6.2). */
const TOKEN_CHARACTERS = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"

/** Maps each octet of a token to the code of its lower-case letter, and all others to 0. */
export const TOKEN: Uint8Array = createTokenTable()

/** Octets of a field value (RFC 9110 section 5.5): visible ones, blanks, and those above ASCII. */
export const FIELD_VALUE: Uint8Array = Uint8Array.from({ length: 256 }, (_, octet) =>
  (octet >= SPACE && octet !== 127) || octet === TAB ? 1 : 0,
)

/**
 * Octets of a target in origin form (RFC 9112 section 3.2.1): visible ASCII except `#`, since clients never send a
 * fragment.
 */
export const TARGET: Uint8Array = Uint8Array.from({ length: 256 }, (_, octet) =>
  octet > SPACE && octet < 127 && octet !== 35 ? 1 : 0,
)

function createTokenTable(): Uint8Array {
  const table = new Uint8Array(256)
  for (const character of TOKEN_CHARACTERS) {
    const lower = character.charCodeAt(0)
    table[lower] = lower
    table[character.toUpperCase().charCodeAt(0)] = lower
  }
  return table
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
