import type { AST } from '@eslint-community/regexpp'
import { CharacterTable, NO_CHARACTERS, type Characters } from './characters.ts'

/*
 * The position automaton of an expression (Glushkov 1961): a state for each place where a character is read, an
 * edge to each place that may come next, and how many ways lead along that edge. Two ways along one edge, as in
 * `(a+)+`, are two ways to read the same text.
 */

/** A place in the expression where one character is read. */
export interface Position {
  readonly characters: Characters
  /** The places that may come next, each with the number of ways that lead there. */
  readonly next: Map<Position, number>
}

/** The automaton of an expression. */
export interface Automaton {
  readonly positions: readonly Position[]
  /** Where the expression may have matched: whatever comes then, it need not try again. */
  readonly last: readonly Position[]
}

/** Thrown when an expression is too large to look into. */
export class TooLarge extends Error {}

const MAX_POSITIONS = 400
/** Up to this many repetitions are written out; more count as any number. */
const MAX_COPIES = 8

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
  const builder = new AutomatonBuilder()
  const { last } = builder.alternatives(pattern.alternatives)
  return { positions: builder.positions, last }
}

class AutomatonBuilder {
  readonly positions: Position[] = []
  readonly #characters = new CharacterTable()

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
        return this.#read(this.#characters.of(element))
      case 'Group':
      case 'CapturingGroup':
        return this.alternatives(element.alternatives)
      case 'Quantifier':
        return this.#repeat(element)
      case 'Assertion':
        // The end is a place where no character can be read; other assertions are taken to hold.
        return element.kind === 'end' ? this.#read(NO_CHARACTERS) : EMPTY
      case 'Backreference':
        return this.#read(NO_CHARACTERS)
    }
  }

  #read(characters: Characters): Part {
    if (this.positions.length >= MAX_POSITIONS) throw new TooLarge()
    const position: Position = { characters, next: new Map() }
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
    if (max > MAX_COPIES) {
      const part = this.#element(element)
      connect(part.last, part.first)
      return min === 0 ? { ...part, isNullable: true } : part
    }
    let whole = EMPTY
    for (let copy = 0; copy < max; copy++) {
      const part = this.#element(element)
      whole = this.#sequence(whole, copy < min ? part : { ...part, isNullable: true })
    }
    return whole
  }
}

function connect(from: readonly Position[], to: readonly Position[]): void {
  for (const position of from) {
    for (const next of to) position.next.set(next, (position.next.get(next) ?? 0) + 1)
  }
}
