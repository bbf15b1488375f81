import type { Characters } from './alphabet.ts'

/* Positions of an expression, where its parts begin and end, and in how many ways one position comes behind another one. */

/** A position in the expression where one character is read. */
export interface Position {
  readonly characters: Characters
  /** Maximum number of returns to this position. */
  readonly repetitions: number
  /** The positions that may come next, each with the number of ways that lead there. */
  readonly next: Map<Position, number>
}

/** The maximum number of ways; more count as this many. */
const MANY = 2 ** 20

/** Positions, each with the number of ways that lead there. */
export type Ways = ReadonlyMap<Position, number>

/** How a part of an expression begins and ends. */
export interface Ends {
  /** Number of ways to match without reading a character. */
  readonly empty: number
  readonly first: Ways
  readonly last: Ways
}

const NOWHERE: Ways = new Map()
/** The ends of a part that reads nothing. */
export const EMPTY: Ends = { empty: 1, first: NOWHERE, last: NOWHERE }

/** The ends of a position. */
export function endsOf(position: Position): Ends {
  const ways = new Map([[position, 1]])
  return { empty: 0, first: ways, last: ways }
}

/** One part behind another one. */
export function sequence(left: Ends, right: Ends): Ends {
  connect(left.last, right.first)
  return {
    empty: Math.min(MANY, left.empty * right.empty),
    first: union(left.first, times(right.first, left.empty)),
    last: union(times(left.last, right.empty), right.last),
  }
}

/** One of several parts. */
export function either(choices: readonly Ends[]): Ends {
  return {
    empty: choices.reduce((sum, { empty }) => sum + empty, 0),
    first: choices.map(({ first }) => first).reduce(union),
    last: choices.map(({ last }) => last).reduce(union),
  }
}

function union(left: Ways, right: Ways): Ways {
  if (left.size === 0) return right
  const both = new Map(left)
  for (const [position, ways] of right) both.set(position, (both.get(position) ?? 0) + ways)
  return both
}

/** Multiplies the number of ways to each position. */
export function times(ways: Ways, factor: number): Ways {
  if (factor === 0) return NOWHERE
  return factor === 1 ? ways : new Map([...ways].map(([position, count]) => [position, count * factor]))
}

/** Adds edges. */
export function connect(from: Ways, to: Ways): void {
  for (const [position, ways] of from) {
    for (const [next, count] of to) position.next.set(next, (position.next.get(next) ?? 0) + ways * count)
  }
}

/** Makes a part optional. Empty matches of the part itself don't count. */
export function optional(ends: Ends): Ends {
  return { ...ends, empty: 1 }
}

/** The number of ways of a sequence of equal parts. */
export function powerOf(empty: number, parts: number): number {
  return Math.min(MANY, empty ** parts)
}
