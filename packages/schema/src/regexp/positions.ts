import type { AST } from '@eslint-community/regexpp'
import { Alphabet, areSame, type Characters } from './characters.ts'

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

interface Part {
  readonly isNullable: boolean
  readonly first: readonly Position[]
  readonly last: readonly Position[]
}

const EMPTY: Part = { isNullable: true, first: [], last: [] }

/**
 * The automaton of a parsed expression.
 * @throws {@link TooLarge}
 */
export function automatonOf(pattern: AST.Pattern): Automaton {
  const builder = new AutomatonBuilder(pattern)
  const { first, last, isNullable } = builder.alternatives(pattern.alternatives)
  builder.accept(last)
  builder.start(first, isNullable, pattern.alternatives.every(isAnchored))
  return builder
}

/** Whether an alternative can match at the beginning of the text only. */
function isAnchored({ elements: [head] }: AST.Alternative): boolean {
  if (head?.type === 'Assertion') return head.kind === 'start'
  return (head?.type === 'Group' || head?.type === 'CapturingGroup') && head.alternatives.every(isAnchored)
}

class AutomatonBuilder implements Automaton {
  readonly positions: Position[] = []
  readonly accepting: Set<Position> = new Set()
  optional = 0
  readonly #alphabet: Alphabet
  #repetitions = 1

  constructor(pattern: AST.Pattern) {
    this.#alphabet = new Alphabet(pattern)
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

  alternatives(alternatives: readonly AST.Alternative[]): Part {
    const parts = alternatives.map(({ elements }) =>
      elements.reduce((part: Part, element) => this.#sequence(part, this.#element(element)), EMPTY),
    )
    return {
      isNullable: parts.some((part) => part.isNullable),
      first: parts.flatMap((part) => part.first),
      last: parts.flatMap((part) => part.last),
    }
  }

  #element(element: AST.Element): Part {
    switch (element.type) {
      case 'Character':
      case 'CharacterClass':
      case 'CharacterSet':
      case 'ExpressionCharacterClass':
        return this.#read(this.#alphabet.of(element))
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives)
      case 'Quantifier':
        return this.#repeat(element)
      case 'Assertion':
        return this.#assertion(element)
      case 'Backreference':
        return this.#read(this.#alphabet.none)
    }
  }

  #assertion(assertion: AST.Assertion): Part {
    // The end is a position where no character can be read.
    if (assertion.kind === 'end') return this.#read(this.#alphabet.none)
    // A lookahead reads the following text; then the expression continues from its start.
    if (assertion.kind === 'lookahead') {
      const { first, last } = this.alternatives(assertion.alternatives)
      for (const position of last) this.accepting.add(position)
      return { isNullable: true, first, last: [] }
    }
    return EMPTY
  }

  #read(characters: Characters): Part {
    if (this.positions.length >= MAX_POSITIONS) throw new TooLarge()
    const position: Position = { characters, repetitions: this.#repetitions, next: new Map() }
    this.positions.push(position)
    return { isNullable: false, first: [position], last: [position] }
  }

  #sequence(left: Part, right: Part): Part {
    connect(left.last, right.first)
    return {
      isNullable: left.isNullable && right.isNullable,
      first: left.isNullable ? [...left.first, ...right.first] : left.first,
      last: right.isNullable ? [...left.last, ...right.last] : right.last,
    }
  }

  #repeat({ element, min, max }: AST.Quantifier): Part {
    if (max > MAX_COPIES) return this.#loop(element, min, max)
    let whole = EMPTY
    for (let copy = 0; copy < max; copy++) {
      const part = this.#element(element)
      if (part.isNullable || copy >= min) this.optional += 1
      whole = this.#sequence(whole, copy < min ? part : { ...part, isNullable: true })
    }
    return whole
  }

  #loop(element: AST.Element, min: number, max: number): Part {
    const outer = this.#repetitions
    this.#repetitions *= max
    const part = this.#element(element)
    this.#repetitions = outer
    connect(part.last, part.first)
    // Each of the required repetitions may be empty.
    if (part.isNullable && min >= MANY_EMPTY) connect(part.last, part.first)
    return min === 0 ? { ...part, isNullable: true } : part
  }
}

function connect(from: readonly Position[], to: readonly Position[]): void {
  for (const position of from) {
    for (const next of to) position.next.set(next, (position.next.get(next) ?? 0) + 1)
  }
}
