import { isRecord } from '../../guards.ts'

/*
 * Colons are counted in four bytes at once, without branches that a processor would guess wrong. A lane is one byte of a
 * word, whose highest bit is the verdict about it.
 */

const COLONS = 0x3a_3a_3a_3a
const HIGH_BITS = 0x80_80_80_80
const LOW_BITS = 0x7f_7f_7f_7f
/** Added to a lane without its high bit, it sets the high bit from 35 on: behind blanks and the quote. */
const FROM_35 = 0x5d_5d_5d_5d
/** The counters of lanes are emptied when as many bytes have been read. */
const MOST_BYTES = 512

/**
 * Counts the colons that may stand behind the name of a member: at least one for each member in the text. Colons within
 * texts count only behind a quote or a blank.
 *
 * @param bytes - JSON in UTF-8
 */
export function countColons(bytes: Uint8Array): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = bytes.length & ~3
  let count = 0
  let lanes = 0
  let before = 0
  for (let at = 0; at < end; at += 4) {
    const word = words.getInt32(at, true)
    const others = word ^ COLONS
    const areColons = ~(((others & LOW_BITS) + LOW_BITS) | others | LOW_BITS)
    const areBefore = ~(((word & LOW_BITS) + FROM_35) | word) & HIGH_BITS
    lanes = (lanes + ((areColons & ((areBefore << 8) | before)) >>> 7)) | 0
    before = areBefore >>> 24
    if ((at & (MOST_BYTES - 1)) !== MOST_BYTES - 4) continue
    count += sumOf(lanes)
    lanes = 0
  }
  for (let at = end; at < bytes.length; at++) if (bytes[at] === 58 && (bytes[at - 1] ?? 58) < 35) count++
  return count + sumOf(lanes)
}

function sumOf(lanes: number): number {
  return (lanes & 255) + ((lanes >>> 8) & 255) + ((lanes >>> 16) & 255) + (lanes >>> 24)
}

/** With fewer digits in a row, a decimal has a number of its own (if it has no exponent). */
const DIGITS = 16

/**
 * Returns whether JSON may have a number with {@link DIGITS} digits in a row, with or without points, that was read as an
 * integer or as infinite. Looks at every 16th byte.
 *
 * @param any - whether other numbers count too, which are the nearest doubles
 */
export function hasLongNumber(bytes: Uint8Array, any: boolean): boolean {
  for (let at = DIGITS - 1; at < bytes.length; at += DIGITS) {
    if (!isDigit(bytes[at])) continue
    let from = at
    let to = at
    while (isDigit(bytes[from - 1])) from--
    while (isDigit(bytes[to + 1])) to++
    if (to - from < DIGITS - 1) continue
    while (isOfNumber(bytes[from - 1])) from--
    while (isOfNumber(bytes[to + 1])) to++
    // A text that begins with digits is no number.
    if (bytes[from - 1] !== QUOTE && (any || isDoubtful(bytes, from, to))) return true
    // No byte is looked at again, so many rows in one text cost no more.
    at = Math.max(at, to - ((to + 1) % DIGITS))
  }
  return false
}

function isDoubtful(bytes: Uint8Array, from: number, to: number): boolean {
  if (isFarFromIntegers(bytes, from, to)) return false
  let literal = ''
  for (let at = from; at <= to; at++) literal += String.fromCharCode(bytes[at] ?? 0)
  const number = Number(literal)
  return Number.isInteger(number) || number - number !== 0
}

/** With so many digits, a number with a fraction from 0.01 to 0.99 is rounded by less than 0.001. */
const MOST_WHOLE_DIGITS = 13

/** Whether a number has a fraction that does not begin with 00 or 99, and no exponent: most doubles do. */
function isFarFromIntegers(bytes: Uint8Array, from: number, to: number): boolean {
  let point = from
  while (point <= to && bytes[point] !== POINT) point++
  const tenths = bytes[point + 1]
  const hundredths = bytes[point + 2]
  if (point - from > MOST_WHOLE_DIGITS || point + 2 > to) return false
  if (tenths === hundredths && (tenths === ZERO || tenths === NINE)) return false
  for (let at = from; at <= to; at++) if ((bytes[at] ?? 0) > NINE) return false
  return true
}

const POINT = 46
const ZERO = 48
const NINE = 57
const QUOTE = 34

/** Whether a byte is one of a number: a digit, a point, a sign or the mark of an exponent. */
function isOfNumber(code: number | undefined): boolean {
  return isDigit(code) || code === 43 || code === 45 || code === 69 || code === 101
}

/** Whether a byte is a digit or a point. */
function isDigit(code: number | undefined): boolean {
  return code !== undefined && code <= 57 && code >= 46 && code !== 47
}

/** Deeper values are read token by token. */
const MOST_LEVELS = 500

/** Counts the members of all objects in a value that was read from JSON, and notes odd numbers. */
export class Members {
  count: number = 0
  /** a number is infinite, or too many levels were not counted */
  isOdd: boolean = false
  /** a number is beyond the safe integers */
  hasLarge: boolean = false
  /** a number is 0, as one is that is too small */
  hasZero: boolean = false

  add(value: unknown, level: number = 0): void {
    if (typeof value === 'number') this.#note(value)
    else if (level > MOST_LEVELS) this.isOdd = true
    else if (Array.isArray(value)) this.#addItems(value, level + 1)
    else if (isRecord(value)) this.#addMembers(value, level + 1)
  }

  // Scalars need no call.
  #addItems(list: readonly unknown[], level: number): void {
    for (let at = 0; at < list.length; at++) {
      const item = list[at]
      if (typeof item === 'object') this.add(item, level)
      else if (typeof item === 'number') this.#note(item)
    }
  }

  #addMembers(object: Readonly<Record<string, unknown>>, level: number): void {
    let count = 0
    for (const name in object) {
      count++
      const member = object[name]
      if (typeof member === 'object') this.add(member, level)
      else if (typeof member === 'number') this.#note(member)
    }
    this.count += count
  }

  #note(number: number): void {
    if (number === 0) this.hasZero = true
    else if (number - number !== 0) this.isOdd = true
    else if (number > Number.MAX_SAFE_INTEGER || number < Number.MIN_SAFE_INTEGER) this.hasLarge = true
  }
}
