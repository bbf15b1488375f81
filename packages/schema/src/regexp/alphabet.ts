import { addBit, emptyBits, type Bits } from './bits.ts'
import type { Atom } from './parse.ts'

/*
 * Characters between which no atom of an expression distinguishes are one letter of its alphabet. V8 decides what an
 * atom matches, so that flags, properties and named sets have the same meaning here.
 */

/** A set of letters. Two sets that have a common letter have a common character. */
export type Characters = Bits

const ASCII_SIZE = 0x80
const UNITS = 0x10000
const CODE_POINTS = 0x110000

/** The bounds of the sets that have names: digits, words, line ends, spaces. */
const NAMED_BOUNDS = [
  0x9, 0xa, 0xb, 0xd, 0xe, 0x20, 0x21, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b, 0xa0, 0xa1, 0x1680,
  0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060, 0x3000, 0x3001, 0xfeff, 0xff00,
]
/** Letters, digits and signs, for properties of which not every character is looked at. */
const SAMPLES =
  'éßĀǅʰªαΩяЖԱա\u05d0\u0627\u0660\u0905\u0966\u0995\u0b85\u0e01\u10d0\u1200\u1780\u3042\u30a2\u4e2d\ud55c\u0301\u0903Ⅷ²½€∑©–«»‿\u00ad😀𝒳'
/** Characters with properties of their own. In the planes between, all characters but the last two are alike. */
const ASSIGNED = [
  [0, 0x40000],
  [0xe0000, 0xe1000],
] as const
/** Characters that have another case, below a limit. */
const CASED = /[\p{CWCM}\p{CWCF}]/u
const CASED_LIMIT = 0x20000

/** The letters of an expression. */
export class Alphabet {
  /** Number of letters. */
  readonly size: number
  /** Whether `^` and `$` match at the beginnings and ends of lines. */
  readonly isMultiline: boolean
  readonly #isUnicode: boolean
  readonly #ascii: Uint16Array = new Uint16Array(ASCII_SIZE)
  /** By the source of an atom: the letters that it matches. */
  readonly #sets: Map<string, Characters> = new Map()
  /** The first characters of ranges, and the letter of each range. */
  readonly #starts: Uint32Array
  readonly #letters: Uint16Array

  /**
   * @param isExact - whether the bounds of properties and of letters in both cases are searched for, which takes some
   *   milliseconds for each; else samples stand for them
   */
  constructor(atoms: readonly Atom[], flags: string, isExact: boolean) {
    const tests = atoms.map(({ source }) => new RegExp(`^(?:${source})$`, flags.replaceAll(/[^isu]/g, '')))
    this.isMultiline = flags.includes('m')
    this.#isUnicode = flags.includes('u')
    const starts = startsOf(atoms, tests, flags, isExact)
    const known = new Map<string, number>()
    const ranges: [start: number, letter: number][] = []
    for (const start of starts) {
      const character = String.fromCodePoint(start)
      const key = tests.map((test) => (test.test(character) ? '1' : '0')).join('')
      const letter = known.get(key) ?? known.size
      known.set(key, letter)
      if (ranges.at(-1)?.[1] !== letter) ranges.push([start, letter])
    }
    this.size = known.size
    this.#starts = Uint32Array.from(ranges, ([start]) => start)
    this.#letters = Uint16Array.from(ranges, ([, letter]) => letter)
    for (let code = 0; code < ASCII_SIZE; code++) this.#ascii[code] = this.#search(code)
    atoms.forEach(({ source }, index) => {
      const set = this.none
      for (const [key, letter] of known) if (key[index] === '1') addBit(set, letter)
      this.#sets.set(source, set)
    })
  }

  /** No letter. */
  get none(): Characters {
    return emptyBits(this.size)
  }

  /** Every letter. */
  get all(): Characters {
    const all = this.none
    for (let index = 0; index < this.size; index++) addBit(all, index)
    return all
  }

  /** Returns the letters that an atom of the expression matches. */
  of({ source }: Pick<Atom, 'source'>): Characters {
    return this.#sets.get(source) ?? this.none
  }

  /** The character at a place of a text: a code point with the flag `u`, else a code unit. */
  codeAt(text: string, at: number): number {
    const code = text.charCodeAt(at)
    return this.#isUnicode && (code & 0xfc00) === 0xd800 ? (text.codePointAt(at) ?? code) : code
  }

  /** The letter of a character. */
  letterOf(code: number): number {
    return code < ASCII_SIZE ? (this.#ascii[code] ?? 0) : this.#search(code)
  }

  #search(code: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] ?? 0) <= code) low = middle
      else high = middle
    }
    return this.#letters[low] ?? 0
  }
}

/** The characters, in order, at which some atom may begin or end. */
function startsOf(
  atoms: readonly Atom[],
  tests: readonly RegExp[],
  flags: string,
  isExact: boolean,
): number[] {
  const starts = new Set([0, ...NAMED_BOUNDS, ...atoms.flatMap(({ bounds }) => bounds)])
  if (isExact) {
    atoms.forEach(({ hasProperty }, index) => {
      if (hasProperty) addChanges(starts, tests[index])
    })
    if (flags.includes('i')) addCased(starts)
  } else {
    for (let code = 0; code < ASCII_SIZE; code++) starts.add(code)
    for (const sample of SAMPLES) addBoth(starts, sample.codePointAt(0) ?? 0)
  }
  const limit = flags.includes('u') ? CODE_POINTS : UNITS
  return [...starts].filter((start) => start < limit).toSorted((left, right) => left - right)
}

/** Adds the characters at which a test changes. */
function addChanges(starts: Set<number>, test: RegExp | undefined): void {
  for (let plane = 0; plane < CODE_POINTS; plane += UNITS) {
    starts.add(plane)
    addBoth(starts, plane + UNITS - 2)
  }
  for (const [from, to] of ASSIGNED) {
    let last: boolean | undefined
    for (let code = from; code <= to; code++) {
      const now = test?.test(String.fromCodePoint(code))
      if (now !== last) starts.add(code)
      last = now
    }
  }
}

function addCased(starts: Set<number>): void {
  for (let code = 0; code < CASED_LIMIT; code++)
    if (CASED.test(String.fromCodePoint(code))) addBoth(starts, code)
}

function addBoth(starts: Set<number>, code: number): void {
  starts.add(code).add(code + 1)
}
