import type { AST } from '@eslint-community/regexpp'
import { loadRegexpp } from '../dependencies.ts'

/**
 * A set of characters, one bit for each character of an {@link Alphabet}. Two sets that have a common bit have a
 * common character.
 */
export type Characters = Uint32Array

/** An atom of an expression: what matches one character. */
export type Atom = AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass

const WORD_BITS = 32
const MAX_CODE_POINT = 0x10ffff
const ASCII_SIZE = 0x80

/** Spaces, line ends, letters and digits outside of ASCII, for the sets that have names. */
const OTHERS = 'éßĀ\u0085\u00a0\u0660\u0966\u1680\u2003\u2028\u2029\u3042\u4e2d\ufeff😀𝒳'

/**
 * Sample characters for every class that an expression can distinguish: ASCII, both sides of the ends of each range,
 * and some others.
 */
export class Alphabet {
  /** No character: the end of the text, or an element that the analysis does not follow. */
  readonly none: Characters
  /** Every character. */
  readonly all: Characters
  readonly #letters: readonly string[]
  readonly #known = new Map<string, Characters>()

  constructor(pattern: AST.Pattern) {
    const codes = new Set(Array.from(OTHERS, (letter) => letter.codePointAt(0) ?? 0))
    for (let code = 0; code < ASCII_SIZE; code++) codes.add(code)
    const addAround = ({ value }: AST.Character): void => {
      for (const code of [value - 1, value, value + 1])
        if (code >= 0 && code <= MAX_CODE_POINT) codes.add(code)
    }
    loadRegexpp().visitRegExpAST(pattern, { onCharacterEnter: addAround })
    this.#letters = Array.from(codes, (code) => String.fromCodePoint(code))
    this.none = new Uint32Array(Math.ceil(this.#letters.length / WORD_BITS))
    this.all = new Uint32Array(this.none.length)
    this.#letters.forEach((_letter, index) => add(this.all, index))
  }

  /** The characters that an atom matches. */
  of({ raw }: Atom): Characters {
    const known = this.#known.get(raw)
    if (known !== undefined) return known
    const characters = new Uint32Array(this.none.length)
    // A syntax character is literal only when escaped.
    const expression = new RegExp(`^${raw}$`, 'u')
    this.#letters.forEach((letter, index) => {
      if (expression.test(letter)) add(characters, index)
    })
    this.#known.set(raw, characters)
    return characters
  }
}

function add(characters: Characters, index: number): void {
  const word = Math.floor(index / WORD_BITS)
  characters[word] = (characters[word] ?? 0) | (1 << (index % WORD_BITS))
}

/** Whether two sets have the same characters. */
export function areSame(left: Characters, right: Characters): boolean {
  return left.every((word, index) => word === right[index])
}

/** Whether some character is in both sets. */
export function haveCommon(left: Characters, right: Characters): boolean {
  return left.some((word, index) => (word & (right[index] ?? 0)) !== 0)
}

/** The characters that are in both sets. */
export function commonOf(left: Characters, right: Characters): Characters {
  return left.map((word, index) => word & (right[index] ?? 0))
}
