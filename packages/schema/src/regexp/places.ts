import { hasBit } from './bits.ts'
import type { Atom } from './parse.ts'
import type { Alphabet } from './alphabet.ts'

/* The positions between characters, for assertions. */

/** The atoms for the characters beside a position. An alphabet contains them if an expression needs them. */
export const WORD: Atom = { source: String.raw`\w`, bounds: [], hasProperty: false }
export const LINE_END: Atom = { source: String.raw`[\n\r\u2028\u2029]`, bounds: [], hasProperty: false }

/** The kinds of characters beside a position; the edge is that of the text. */
export const SIDE = { edge: 0, other: 1, word: 2, lineEnd: 3 } as const

/** The assertions that hold at a position, one bit each. */
export const AT = { start: 1, end: 2, boundary: 4 } as const
/** The number of combinations. */
export const TRUTHS = 8

/** The kind of each letter for assertions. The last entry is the edge. */
export function sidesOf(alphabet: Alphabet): Uint8Array {
  const [words, lineEnds] = [alphabet.of(WORD), alphabet.of(LINE_END)]
  const sides = Uint8Array.from({ length: alphabet.size + 1 }, (_, letter) => {
    if (alphabet.isMultiline && hasBit(lineEnds, letter)) return SIDE.lineEnd
    return hasBit(words, letter) ? SIDE.word : SIDE.other
  })
  sides[alphabet.size] = SIDE.edge
  return sides
}

/** Returns the assertions that hold between two kinds of characters. */
export function truthBetween(before: number, after: number): number {
  const isStart = before === SIDE.edge || before === SIDE.lineEnd
  const isEnd = after === SIDE.edge || after === SIDE.lineEnd
  const isBoundary = (before === SIDE.word) !== (after === SIDE.word)
  return (isStart ? AT.start : 0) | (isEnd ? AT.end : 0) | (isBoundary ? AT.boundary : 0)
}
