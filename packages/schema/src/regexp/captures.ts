import { addBit, emptyBits, hasBit, type Bits } from './bits.ts'
import type { Alphabet } from './alphabet.ts'
import { SIDE, sidesOf, truthBetween } from './places.ts'
import { OP, type Program } from './program.ts'

/*
 * Finds what the groups of an expression match, as JavaScript does: on the first way that leads to the end. An
 * instruction that failed once at a place of the text fails there again, so that none is tried twice, unless other
 * loops around it began at that place: their iterations must not be empty (Barrière and Pit-Claudel 2024).
 */

/** Marks an empty slot. */
const NOWHERE = -1

/** The search for one match in one text. */
export class Search {
  /** The stored positions: two for each group, then those of loops. */
  readonly #slots: Int32Array
  readonly #program: Program
  readonly #alphabet: Alphabet
  readonly #sides: Uint8Array
  readonly #text: string
  /** The instructions that were tried, by place and by the number of loops that began there. */
  readonly #tried: Bits
  readonly #depths: number
  /** Pairs: an instruction and a place that are still to be tried, or a slot as `~slot` and what it held. */
  readonly #stack: number[] = []

  constructor(program: Program, alphabet: Alphabet, text: string) {
    this.#slots = new Int32Array(program.slots).fill(NOWHERE)
    this.#program = program
    this.#alphabet = alphabet
    this.#sides = sidesOf(alphabet)
    this.#text = text
    this.#depths = Math.max(...program.instructions.map(({ loops }) => loops.length)) + 1
    this.#tried = emptyBits(program.instructions.length * this.#depths * (text.length + 1))
  }

  #matchesFrom(start: number): boolean {
    this.#stack.push(0, start)
    for (;;) {
      const place = this.#stack.pop()
      const at = this.#stack.pop()
      if (place === undefined || at === undefined) return false
      if (at < 0) this.#slots[~at] = place
      else if (this.#follow(at, place)) return true
    }
  }

  /** Returns the first match and its groups. The program matches somewhere in the text. */
  groups(): (string | undefined)[] {
    for (let start = 0; start <= this.#text.length && !this.#matchesFrom(start);) start += 1
    return Array.from({ length: this.#program.groups + 1 }, (_, group) => {
      const [start = NOWHERE, end = NOWHERE] = this.#slots.subarray(group * 2)
      return start === NOWHERE ? undefined : this.#text.slice(start, end)
    })
  }

  /** Follows one way; returns whether it led to the end. */
  #follow(start: number, from: number): boolean {
    const { instructions, positions } = this.#program
    let at = start
    let place = from
    for (;;) {
      const instruction = instructions[at]
      if (instruction === undefined) return false
      const { op, to, other, loops } = instruction
      at += 1
      switch (op) {
        case OP.match:
          return true
        case OP.read: {
          const code = this.#alphabet.codeAt(this.#text, place)
          const atom = positions[to]?.atom
          if (place >= this.#text.length || atom === undefined || this.#isInPair(place)) return false
          if (!hasBit(this.#alphabet.of(atom), this.#alphabet.letterOf(code))) return false
          place += code > 0xffff ? 2 : 1
          break
        }
        case OP.split:
          if (!this.#isNew(at, place, loops)) return false
          this.#stack.push(other, place)
          at = to
          break
        case OP.jump:
          at = to
          break
        case OP.assert:
          if ((truthBetween(this.#sideAt(place - 1), this.#sideAt(place)) & to) !== other) return false
          break
        case OP.save:
          this.#keep(to, place)
          break
        case OP.clear:
          for (let slot = to * 2 + 2; slot < other * 2 + 2; slot++) this.#keep(slot, NOWHERE)
          break
        default:
          if (this.#slots[to] === place) return false
      }
    }
  }

  #isNew(at: number, place: number, loops: readonly number[]): boolean {
    // If an outer loop began at this position, so did the inner ones: their number identifies them.
    let begun = 0
    for (const slot of loops) if (this.#slots[slot] === place) begun += 1
    const index = (place * this.#program.instructions.length + at - 1) * this.#depths + begun
    if (hasBit(this.#tried, index)) return false
    addBit(this.#tried, index)
    return true
  }

  #keep(slot: number, place: number): void {
    this.#stack.push(~slot, this.#slots[slot] ?? NOWHERE)
    this.#slots[slot] = place
  }

  /** Whether a place is between the halves of a surrogate pair. */
  #isInPair(place: number): boolean {
    return place > 0 && this.#alphabet.codeAt(this.#text, place - 1) > 0xffff
  }

  #sideAt(at: number): number {
    if (at < 0 || at >= this.#text.length) return SIDE.edge
    return this.#sides[this.#alphabet.letterOf(this.#alphabet.codeAt(this.#text, at))] ?? SIDE.other
  }
}
