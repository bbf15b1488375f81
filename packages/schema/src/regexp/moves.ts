import { addBit, emptyBits, type Bits } from './bits.ts'
import { OP, type Program } from './program.ts'

const BYTE_BITS = 8
const BYTE_VALUES = 256

/** The words of a set that are not empty. */
interface Row {
  readonly from: number
  readonly words: Bits
}

/** Returns the bits of the assertions that a program has. */
export function assertedBy({ instructions }: Program): number {
  return instructions.reduce((asked, { op, to }) => (op === OP.assert ? asked | to : asked), 0)
}

/**
 * The positions that can come next, where the same assertions hold. The number behind the last position means that the
 * program has matched.
 */
export class Moves {
  /** The positions at which a match can begin. */
  readonly first: Bits
  readonly #program: Program
  readonly #truth: number
  /** By eight positions, as far as these have been asked for: what comes next after those that have a bit. */
  readonly #rows: (Row | undefined)[]

  constructor(program: Program, truth: number) {
    this.#program = program
    this.#truth = truth
    this.#rows = Array.from({ length: Math.ceil(program.positions.length / BYTE_BITS) * BYTE_VALUES })
    this.first = this.#reachedFrom([0])
  }

  /** Writes the positions that come next, whatever the next character, and those of a match that begins here. */
  write(bits: Bits, after: Bits): void {
    const { first } = this
    for (let word = 0; word < first.length; word++) after[word] = first[word] ?? 0
    const rows = this.#rows
    for (let word = 0; word < first.length; word++) {
      let rest = bits[word] ?? 0
      for (let group = word * 4; rest !== 0; group++) {
        const byte = rest & 0xff
        rest >>>= BYTE_BITS
        if (byte === 0) continue
        const { from, words } = rows[group * BYTE_VALUES + byte] ?? this.#makeRow(group, byte)
        for (let index = 0; index < words.length; index++)
          after[from + index] = (after[from + index] ?? 0) | (words[index] ?? 0)
      }
    }
  }

  #makeRow(group: number, byte: number): Row {
    const { positions } = this.#program
    const behind: number[] = []
    for (let bit = 0; bit < BYTE_BITS; bit++) {
      const position = positions[group * BYTE_BITS + bit]
      if ((byte & (1 << bit)) !== 0 && position !== undefined) behind.push(position.at + 1)
    }
    const reached = this.#reachedFrom(behind)
    const from = Math.max(
      0,
      reached.findIndex((word) => word !== 0),
    )
    const to = reached.findLastIndex((word) => word !== 0) + 1
    const row = { from, words: reached.slice(from, to) }
    this.#rows[group * BYTE_VALUES + byte] = row
    return row
  }

  /** Follows instructions up to those that read. */
  #reachedFrom(starts: readonly number[]): Bits {
    const { instructions, positions } = this.#program
    const reached = emptyBits(positions.length + 1)
    const seen = new Set(starts)
    // A set is visited in the order in which it grows.
    for (const at of seen) {
      const instruction = instructions[at]
      if (instruction === undefined) continue
      const { op, to, other } = instruction
      if (op === OP.read) addBit(reached, to)
      else if (op === OP.match) addBit(reached, positions.length)
      else if (op === OP.jump) seen.add(to)
      else if (op === OP.split) seen.add(to).add(other)
      else if (op !== OP.assert || (this.#truth & to) === other) seen.add(at + 1)
    }
    return reached
  }
}
