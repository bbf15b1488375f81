/*
 * Quotes are counted in four bytes at once, without branches that a processor would guess wrong. A lane is one byte of a
 * word, whose highest bit is the verdict about it.
 */

const QUOTES = 0x22_22_22_22
const LOW_BITS = 0x7f_7f_7f_7f
const QUOTE = 34
/** The bytes of a turn of the loop: four words, because a turn has a cost of its own. */
const STRIDE = 16
/** The counters of lanes are emptied when as many bytes have been read. */
const BLOCK = 512

/**
 * Counts the quotes in JSON.
 *
 * @param bytes - JSON in UTF-8
 */
export function countQuotes(bytes: Uint8Array): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - (bytes.length % STRIDE)
  let count = 0
  for (let from = 0; from < end; from += BLOCK) {
    const to = Math.min(end, from + BLOCK)
    let lanes = 0
    for (let at = from; at < to; at += STRIDE) {
      // Any order of bytes gives the same count; this one is that of most processors.
      const first = quotesOf(words.getInt32(at, true)) + quotesOf(words.getInt32(at + 4, true))
      const second = quotesOf(words.getInt32(at + 8, true)) + quotesOf(words.getInt32(at + 12, true))
      lanes = (lanes + first + second) | 0
    }
    count += (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24)
  }
  for (let at = end; at < bytes.length; at++) if (bytes[at] === QUOTE) count++
  return count
}

/** Returns a word with 1 in each lane that has a quote. */
function quotesOf(word: number): number {
  const others = word ^ QUOTES
  return ~(((others & LOW_BITS) + LOW_BITS) | others | LOW_BITS) >>> 7
}

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
const LETTER_U = 117
/** The first digits of the escape of a surrogate. */
const SURROGATE = /^d[89a-f]/i
