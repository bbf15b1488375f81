import { endOfDigits, NEVER, type Digits } from './long-number.ts'

/*
 * Quotes are counted in four bytes at once, without branches that a processor would guess wrong. A lane is one byte of a
 * word, whose highest bit is the verdict about it.
 */

const QUOTES = 0x22_22_22_22
const LOW_BITS = 0x7f_7f_7f_7f
const HIGH_BITS = 0x80_80_80_80 | 0
const QUOTE = 34
const POINT = 46
const NINE = 57
/** The bytes of a turn of the loop: four words, because a turn has a cost of its own. */
const ROW = 16
/** The counters of lanes are emptied when as many bytes have been read. */
const BLOCK = 512

/** What the bytes of JSON contain. */
export interface Scan {
  readonly quotes: number
  /** whether a number may have been read as another one; see {@link Digits} */
  readonly hasLongNumber: boolean
}

/** A longer text gets bytes of its own. */
const MAX_CHARACTERS = 2048
/** The most bytes of a character in UTF-8, for each of its 16 bits in a text. */
const MAX_BYTES = 3

const NO_BYTES = new Uint8Array()
const UTF8 = new TextEncoder()

/** Scans JSON that was read as text. Short texts are encoded into the same bytes, one after the other. */
export class TextScanner {
  // Most parsers of an app never get a text.
  #words: DataView | null = null
  #bytes = NO_BYTES

  /** Like {@link scanBytes}. */
  scan(text: string, digits: Digits): Scan {
    if (text.length > MAX_CHARACTERS) return scanBytes(UTF8.encode(text), digits)
    const words = (this.#words ??= this.#allocate())
    const { written } = UTF8.encodeInto(text, this.#bytes)
    // The digits of an earlier text don't belong to the last number of this one.
    this.#bytes[written] = 0
    return scanWords(this.#bytes, words, written, digits)
  }

  #allocate(): DataView {
    this.#bytes = new Uint8Array(MAX_CHARACTERS * MAX_BYTES + 1)
    return wordsOf(this.#bytes)
  }
}

/**
 * Counts the quotes in JSON, and finds numbers with so many digits in a row that one of them is the last byte of a row.
 *
 * @param bytes - JSON in UTF-8
 * @param digits - which numbers count
 */
export function scanBytes(bytes: Uint8Array, digits: Digits): Scan {
  return scanWords(bytes, wordsOf(bytes), bytes.length, digits)
}

function wordsOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** @param words - of the same memory as the bytes */
function scanWords(bytes: Uint8Array, words: DataView, length: number, digits: Digits): Scan {
  const end = length - (length % ROW)
  let others = 0
  // No byte is looked at again, so many digits in one text cost no more.
  let seen = digits === 'none' ? NEVER : -1
  for (let from = 0; from < end; from += BLOCK) {
    const to = Math.min(end, from + BLOCK)
    let lanes = 0
    for (let at = from; at < to; at += ROW) {
      // Any order of bytes gives the same count; in this one, the last byte of a row is the highest of a word.
      const last = words.getInt32(at + 12, true)
      const first = othersOf(words.getInt32(at, true)) + othersOf(words.getInt32(at + 4, true))
      lanes = (lanes + first + othersOf(words.getInt32(at + 8, true)) + othersOf(last)) | 0
      const code = last >>> 24
      if (code <= NINE && code >= POINT && at + ROW > seen) seen = endOfDigits(bytes, at + ROW - 1, digits)
    }
    others += (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24)
  }
  let quotes = end - others
  for (let at = end; at < length; at++) if (bytes[at] === QUOTE) quotes++
  return { quotes, hasLongNumber: digits !== 'none' && seen === NEVER }
}

/** Returns a word with 1 in each lane that has no quote. */
function othersOf(word: number): number {
  const others = word ^ QUOTES
  return ((((others & LOW_BITS) + LOW_BITS) | others) & HIGH_BITS) >>> 7
}
