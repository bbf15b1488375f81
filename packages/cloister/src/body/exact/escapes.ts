/** The escapes of JSON that decide how it is read. */
export interface Escapes {
  /** the number of quotes that end no text */
  readonly quotes: number
  /** whether halves of characters are written as escapes */
  readonly haveSurrogates: boolean
}

const NONE: Escapes = { quotes: 0, haveSurrogates: false }

/** Reads the escapes of valid JSON. */
export function readEscapes(text: string): Escapes {
  let at = text.indexOf(ESCAPE)
  if (at === -1) return NONE
  let quotes = 0
  let haveSurrogates = false
  for (; at !== -1; at = text.indexOf(ESCAPE, at + 2)) {
    const code = text.charCodeAt(at + 1)
    if (code === QUOTE) quotes++
    else if (code === LETTER_U) haveSurrogates ||= SURROGATE.test(text.slice(at + 2, at + 4))
  }
  return { quotes, haveSurrogates }
}

const ESCAPE = '\\'
const QUOTE = 34
const LETTER_U = 117
/** The first digits of the escape of a surrogate. */
const SURROGATE = /^d[89a-f]/i
