import { addBit, emptyBits, hasBit, type Bits } from './bits.ts'
import { remember } from '../remember.ts'
import { assertedBy, Moves } from './moves.ts'
import type { Alphabet } from './alphabet.ts'
import { AT, SIDE, sidesOf, truthBetween, TRUTHS } from './places.ts'
import type { Program } from './program.ts'

/*
 * The position automaton of a program (Glushkov 1961), simulated in all ways at once: a set of positions, one bit each,
 * that the text so far can reach. So the time grows with the length of the text, for any expression. Sets that occur
 * become states of a deterministic automaton, up to a maximum number.
 */

/** The values of a cell other than states: not computed, a verdict, or no room for the state. */
const UNKNOWN = 0
const REJECTED = 1
const ACCEPTED = 2
const FULL = 3
const FIRST_STATE = 4

/** The most words that the states of an automaton take: 128 KB. */
export const MAX_WORDS = 32_768
/** A set, and its text as a key. */
const WORDS_OF_SET = 4

/** A position in the text: the set that the characters before it reach, and the last character. */
interface State {
  readonly bits: Bits
  readonly side: number
}

/** Tests texts in linear time. */
export class Automaton {
  readonly #alphabet: Alphabet
  readonly #positions: number
  /** The number of letters, and one for the end of the text. */
  readonly #stride: number
  /** By letter, the positions that read it. */
  readonly #readers: readonly Bits[]
  /** By letter, its bits for assertions beside it. */
  readonly #sides: Uint8Array
  /** By the assertions that hold at a position. */
  readonly #moves: readonly Moves[]
  /** Whether a match can begin behind the first character. */
  readonly #restarts: boolean
  /** Whether the program matches between the halves of a surrogate pair: V8 tries that, too. */
  readonly #matchesInPairs: boolean
  readonly #states: State[] = []
  readonly #ids: Map<string, number> = new Map()
  readonly #maxWords: number
  #table: Int32Array

  constructor(program: Program, alphabet: Alphabet, maxWords: number) {
    const { positions } = program
    this.#alphabet = alphabet
    this.#maxWords = maxWords
    this.#positions = positions.length
    this.#stride = alphabet.size + 1
    this.#sides = sidesOf(alphabet)
    this.#readers = Array.from(this.#sides, (_, letter) => {
      const readers = emptyBits(positions.length + 1)
      positions.forEach(
        ({ atom }, position) => hasBit(alphabet.of(atom), letter) && addBit(readers, position),
      )
      return readers
    })
    // Assertions that the program does not have make no difference, and no tables.
    const asked = assertedBy(program)
    const byTruth = new Map<number, Moves>()
    this.#moves = Array.from({ length: TRUTHS }, (_, truth) =>
      remember(byTruth, truth & asked, () => new Moves(program, truth & asked)),
    )
    this.#restarts = this.#moves.some(
      ({ first }, truth) =>
        (alphabet.isMultiline || (truth & AT.start) === 0) && first.some((word) => word !== 0),
    )
    this.#matchesInPairs = this.#moves.some(
      ({ first }, truth) => truth === 0 && hasBit(first, this.#positions),
    )
    this.#table = new Int32Array(FIRST_STATE * this.#stride)
    this.#idOf({ bits: emptyBits(positions.length + 1), side: SIDE.edge })
  }

  /** Whether the program matches somewhere in a text. */
  test(text: string): boolean {
    let id = FIRST_STATE
    for (let at = 0; at < text.length;) {
      const code = this.#alphabet.codeAt(text, at)
      const next = this.#after(id, this.#alphabet.letterOf(code))
      if (next < FIRST_STATE) return next === FULL ? this.#simulate(text, at, id) : next === ACCEPTED
      if (code > 0xffff && this.#matchesInPairs) return true
      id = next
      at += code > 0xffff ? 2 : 1
    }
    return this.#after(id, this.#alphabet.size) === ACCEPTED
  }

  /** The state or verdict after a letter. */
  #after(id: number, letter: number): number {
    const known = this.#table[id * this.#stride + letter] ?? UNKNOWN
    return known === UNKNOWN ? this.#learn(id, letter) : known
  }

  #learn(id: number, letter: number): number {
    const state = this.#states[id - FIRST_STATE]
    if (state === undefined) return REJECTED
    const bits = new Int32Array(state.bits.length)
    const next = this.#step(state.bits, state.side, letter, bits)
      ? ACCEPTED
      : this.#isDead(bits)
        ? REJECTED
        : this.#idOf({ bits, side: this.#sideOf(letter) })
    this.#table[id * this.#stride + letter] = next
    return next
  }

  /** The number of a state. A new one gets a row of the table. */
  #idOf(state: State): number {
    const key = `${state.side},${state.bits.join()}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#states.length + FIRST_STATE
    const cells = (id + 1) * this.#stride
    const words = cells + id * state.bits.length * WORDS_OF_SET
    if (words > this.#maxWords && id > FIRST_STATE) return FULL
    if (cells > this.#table.length) {
      const table = new Int32Array(cells * 2)
      table.set(this.#table)
      this.#table = table
    }
    this.#states.push(state)
    this.#ids.set(key, id)
    return id
  }

  /** Continues without new states. */
  #simulate(text: string, from: number, id: number): boolean {
    const state = this.#states[id - FIRST_STATE]
    if (state === undefined) return false
    let bits = state.bits.slice()
    let after = new Int32Array(bits.length)
    let { side } = state
    for (let at = from; at < text.length;) {
      const code = this.#alphabet.codeAt(text, at)
      const letter = this.#alphabet.letterOf(code)
      if (this.#step(bits, side, letter, after)) return true
      if (code > 0xffff && this.#matchesInPairs) return true
      if (this.#isDead(after)) return false
      const before = bits
      bits = after
      after = before
      side = this.#sideOf(letter)
      at += code > 0xffff ? 2 : 1
    }
    return this.#step(bits, side, this.#alphabet.size, after)
  }

  /** Writes where a letter leads; returns whether the program has matched before it. */
  #step(bits: Bits, side: number, letter: number, after: Bits): boolean {
    this.#moves[truthBetween(side, this.#sideOf(letter))]?.write(bits, after)
    if (hasBit(after, this.#positions)) return true
    const readers = this.#readers[letter]
    for (let word = 0; word < after.length; word++) after[word] = (after[word] ?? 0) & (readers?.[word] ?? 0)
    return false
  }

  #sideOf(letter: number): number {
    return this.#sides[letter] ?? SIDE.other
  }

  #isDead(bits: Bits): boolean {
    return !this.#restarts && bits.every((word) => word === 0)
  }
}
