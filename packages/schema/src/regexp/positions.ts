import { areSame } from './bits.ts'
import type { Part, Pattern, Repetition } from './parse.ts'
import { Alphabet, type Characters } from './alphabet.ts'

/*
 * The position automaton of an expression (Glushkov 1961): a state for each position where a character is read, an
 * edge to each position that may come next, and the number of ways along that edge. Two ways along one edge, as in
 * `(a+)+`, are two ways to read the same text.
 */

/** A position in the expression where one character is read. */
export interface Position {
  readonly characters: Characters
  /** Maximum number of returns to this position. */
  readonly repetitions: number
  /** The positions that may come next, each with the number of ways that lead there. */
  readonly next: Map<Position, number>
}

/** The automaton of an expression. */
export interface Automaton {
  readonly positions: readonly Position[]
  /**
   * The positions after which the expression, or a lookahead in it, has matched, so that no other way is tried.
   */
  readonly accepting: ReadonlySet<Position>
  /** Number of elements that may be left out, repetitions counted. */
  readonly optional: number
}

/** Thrown for an expression that is too large for the analysis. */
export class TooLarge extends Error {}

const MAX_POSITIONS = 400
/** Up to this many repetitions are written out; more count as a loop. */
const MAX_COPIES = 8
/** This many repetitions of a possibly empty part have too many ways to try. */
const MANY_EMPTY = 16

interface Ends {
  readonly isNullable: boolean
  readonly first: readonly Position[]
  readonly last: readonly Position[]
}

const EMPTY: Ends = { isNullable: true, first: [], last: [] }

/**
 * The automaton of a parsed expression.
 * @throws {@link TooLarge}
 */
export function automatonOf(pattern: Pattern): Automaton {
  const builder = new AutomatonBuilder(pattern)
  const { first, last, isNullable } = builder.read(pattern.part)
  builder.accept(last)
  builder.start(first, isNullable, !pattern.flags.includes('m') && isAnchored(pattern.part))
  return builder
}

/** Whether a part can match at the beginning of the text only. */
function isAnchored(part: Part | undefined): boolean {
  if (part?.kind === 'capture') return isAnchored(part.part)
  if (part?.kind === 'choice') return part.parts.every(isAnchored)
  if (part?.kind === 'sequence') return isAnchored(part.parts[0])
  return part?.kind === 'assertion' && part.assertion === 'start'
}

class AutomatonBuilder implements Automaton {
  readonly positions: Position[] = []
  readonly accepting: Set<Position> = new Set()
  optional = 0
  readonly #alphabet: Alphabet
  #repetitions = 1

  constructor({ atoms, flags }: Pattern) {
    this.#alphabet = new Alphabet(atoms, flags, false)
  }

  /** Adds the start of an expression; one that is not anchored is tried at each position of the text. */
  start(first: readonly Position[], isNullable: boolean, anchored: boolean): void {
    if (anchored) return
    const start: Position = { characters: this.#alphabet.all, repetitions: Infinity, next: new Map() }
    this.positions.push(start)
    connect([start], [start, ...first])
    if (isNullable) this.accepting.add(start)
  }

  /** A part that reads any text up to the end, as `[^]*$` does, has matched before. */
  accept(last: readonly Position[]): void {
    for (const position of last) this.accepting.add(position)
    for (const position of this.positions) {
      const { characters, next } = position
      if (!next.has(position) || !areSame(characters, this.#alphabet.all)) continue
      if (last.some((end) => next.has(end) && areSame(end.characters, this.#alphabet.none)))
        this.accepting.add(position)
    }
  }

  read(part: Part): Ends {
    switch (part.kind) {
      case 'atom':
        return this.#position(this.#alphabet.of(part.atom))
      case 'sequence':
        return part.parts.reduce((ends: Ends, next) => sequence(ends, this.read(next)), EMPTY)
      case 'choice':
        return either(part.parts.map((one) => this.read(one)))
      case 'capture':
        return this.read(part.part)
      case 'repetition':
        return this.#repeat(part)
      case 'assertion':
        // The end is a position where no character can be read.
        return part.assertion === 'end' ? this.#position(this.#alphabet.none) : EMPTY
      case 'look':
        return part.isAhead ? this.#lookahead(part.part) : EMPTY
      case 'backreference':
        return this.#position(this.#alphabet.none)
    }
  }

  /** A lookahead reads the following text; then the expression continues from its start. */
  #lookahead(part: Part): Ends {
    const { first, last } = this.read(part)
    for (const position of last) this.accepting.add(position)
    return { isNullable: true, first, last: [] }
  }

  #position(characters: Characters): Ends {
    if (this.positions.length >= MAX_POSITIONS) throw new TooLarge()
    const position: Position = { characters, repetitions: this.#repetitions, next: new Map() }
    this.positions.push(position)
    return { isNullable: false, first: [position], last: [position] }
  }

  #repeat({ part, min, max }: Repetition): Ends {
    if (max > MAX_COPIES) return this.#loop(part, min, max)
    let whole = EMPTY
    for (let copy = 0; copy < max; copy++) {
      const ends = this.read(part)
      if (ends.isNullable || copy >= min) this.optional += 1
      whole = sequence(whole, copy < min ? ends : { ...ends, isNullable: true })
    }
    return whole
  }

  #loop(part: Part, min: number, max: number): Ends {
    const outer = this.#repetitions
    this.#repetitions *= max
    const ends = this.read(part)
    this.#repetitions = outer
    connect(ends.last, ends.first)
    // Each of the required repetitions may be empty.
    if (ends.isNullable && min >= MANY_EMPTY) connect(ends.last, ends.first)
    return min === 0 ? { ...ends, isNullable: true } : ends
  }
}

function sequence(left: Ends, right: Ends): Ends {
  connect(left.last, right.first)
  return {
    isNullable: left.isNullable && right.isNullable,
    first: left.isNullable ? [...left.first, ...right.first] : left.first,
    last: right.isNullable ? [...left.last, ...right.last] : right.last,
  }
}

function either(choices: readonly Ends[]): Ends {
  return {
    isNullable: choices.some(({ isNullable }) => isNullable),
    first: choices.flatMap(({ first }) => first),
    last: choices.flatMap(({ last }) => last),
  }
}

function connect(from: readonly Position[], to: readonly Position[]): void {
  for (const position of from) {
    for (const next of to) position.next.set(next, (position.next.get(next) ?? 0) + 1)
  }
}
