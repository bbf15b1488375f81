import type { AST } from '@eslint-community/regexpp'

/** A set of characters of the basic plane, one bit each. What pumps an expression is found there. */
export type Characters = Uint32Array

const PLANE_SIZE = 0x10000
const WORD_BITS = 32

/** Nothing that could be read: the end of the text, or what is not followed here. */
export const NO_CHARACTERS: Characters = new Uint32Array(PLANE_SIZE / WORD_BITS)

/** Finds out what the atoms of one expression match. */
export class CharacterTable {
  readonly #known = new Map<string, Characters>()

  /** The characters that an atom matches. */
  of(atom: AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass): Characters {
    const known = this.#known.get(atom.raw)
    if (known !== undefined) return known
    const characters = new Uint32Array(PLANE_SIZE / WORD_BITS)
    if (atom.type === 'Character') add(characters, atom.value)
    else addMatches(characters, new RegExp(`^${atom.raw}$`, 'u'))
    this.#known.set(atom.raw, characters)
    return characters
  }
}

function addMatches(characters: Characters, expression: RegExp): void {
  for (let code = 0; code < PLANE_SIZE; code++) {
    if (expression.test(String.fromCharCode(code))) add(characters, code)
  }
}

function add(characters: Characters, code: number): void {
  const word = Math.floor(code / WORD_BITS)
  if (word < characters.length) characters[word] = (characters[word] ?? 0) | (1 << (code % WORD_BITS))
}

/** Whether some character is in both sets. */
export function haveCommon(left: Characters, right: Characters): boolean {
  return left.some((word, index) => (word & (right[index] ?? 0)) !== 0)
}
