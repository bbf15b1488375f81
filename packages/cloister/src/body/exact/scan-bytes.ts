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

/**
 * Counts the quotes in JSON, and finds numbers with so many digits in a row that one of them is the last byte of a row.
 *
 * @param bytes - JSON in UTF-8
 * @param digits - which numbers count
 */
export function scanBytes(bytes: Uint8Array, digits: Digits): Scan {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length - (bytes.length % ROW)
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
  for (let at = end; at < bytes.length; at++) if (bytes[at] === QUOTE) quotes++
  return { quotes, hasLongNumber: digits !== 'none' && seen === NEVER }
}

/** Returns a word with 1 in each lane that has no quote. */
function othersOf(word: number): number {
  const others = word ^ QUOTES
  return ((((others & LOW_BITS) + LOW_BITS) | others) & HIGH_BITS) >>> 7
}
