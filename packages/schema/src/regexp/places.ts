import type { Atom } from './parse.ts'
import type { Alphabet } from './alphabet.ts'

/* The places between characters, as assertions see them. */

/** The atoms that say what is beside a place. An alphabet has them where an expression asks for it. */
export const WORD: Atom = { source: String.raw`\w`, bounds: [], hasProperty: false }
export const LINE_END: Atom = { source: String.raw`[\n\r\u2028\u2029]`, bounds: [], hasProperty: false }

/** What can be beside a place; the edge is that of the text. */
export const SIDE = { edge: 0, other: 1, word: 2, lineEnd: 3 } as const

/** What holds at a place, one bit each. */
export const AT = { start: 1, end: 2, boundary: 4 } as const
/** The number of combinations. */
export const TRUTHS = 8

/** What a letter is for the places beside it. The one behind the last is the edge. */
export function sidesOf(alphabet: Alphabet): Uint8Array {
  const sides = new Uint8Array(alphabet.size + 1).fill(SIDE.other)
  for (const letter of alphabet.lettersOf(WORD)) sides[letter] = SIDE.word
  if (alphabet.isMultiline) for (const letter of alphabet.lettersOf(LINE_END)) sides[letter] = SIDE.lineEnd
  sides[alphabet.size] = SIDE.edge
  return sides
}

/** What holds between two sides. */
export function truthBetween(before: number, after: number): number {
  const isStart = before === SIDE.edge || before === SIDE.lineEnd
  const isEnd = after === SIDE.edge || after === SIDE.lineEnd
  const isBoundary = (before === SIDE.word) !== (after === SIDE.word)
  return (isStart ? AT.start : 0) | (isEnd ? AT.end : 0) | (isBoundary ? AT.boundary : 0)
}
