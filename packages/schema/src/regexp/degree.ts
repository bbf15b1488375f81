import { commonOf, haveCommon, type Bits } from './bits.ts'
import type { Loop } from './loops.ts'
import type { Position } from './ends.ts'
import { remember } from '../remember.ts'

/*
 * An automaton takes polynomial time when a text can be divided between two loops that follow each other in as many
 * ways as it has characters (infinite degree of ambiguity: Weber and Seidl 1991). Each such pair on the way through
 * the expression multiplies the time by the length of the text, as `\d+\d+\d+x` does twice.
 */

/** The number of ways in which an expression can read a text, as a product. */
export interface Ways {
  /** Number of factors that are the length of the text. */
  readonly unlimited: number
  /** The product of the other factors. */
  readonly limited: number
}

/** A single way. */
export const ONE_WAY: Ways = { unlimited: 0, limited: 1 }

/** More states than these are not visited for a pair of loops: it counts as divided. */
const MAX_STATES = 20_000

/** The ways of the worst chain of loops. */
export function worstOf(loops: readonly Loop[]): Ways {
  const known = new Map<Loop, Ways>()
  const worstTo = (loop: Loop): Ways => {
    const found = known.get(loop)
    if (found !== undefined) return found
    const before = loops.filter((other) => other !== loop && leadsTo(other, loop))
    const chains = before.map((other) => {
      const ways = worstTo(other)
      return canDivide(other, loop) ? multiplied(ways, factorOf(ways, other, loop)) : ways
    })
    const worst = chains.reduce(larger, multiplied(ONE_WAY, loop.length))
    known.set(loop, worst)
    return worst
  }
  return loops.map(worstTo).reduce(larger, ONE_WAY)
}

/** A text of any length is divided in as many ways as the shorter of the two loops can read characters. */
function factorOf({ unlimited }: Ways, first: Loop, second: Loop): number {
  return unlimited === 0 ? second.length : Math.min(first.length, second.length)
}

function leadsTo({ ahead }: Loop, { positions }: Loop): boolean {
  return positions.some((position) => ahead.has(position))
}

function multiplied({ unlimited, limited }: Ways, factor: number): Ways {
  return factor === Infinity
    ? { unlimited: unlimited + 1, limited }
    : { unlimited, limited: limited * factor }
}

function larger(left: Ways, right: Ways): Ways {
  if (left.unlimited !== right.unlimited) return left.unlimited > right.unlimited ? left : right
  return left.limited >= right.limited ? left : right
}

/** Whether some text, read again and again, can be read by the first loop, by the second, or lead from one to the other. */
function canDivide(first: Loop, second: Loop): boolean {
  return first.positions.some((from) =>
    second.positions.some(
      (to) => haveCommon(from.characters, to.characters) && isBridged(first, second, from, to),
    ),
  )
}

/** Three positions reached by the same text: in the first loop, on the bridge, in the second loop. */
type State = readonly [Position, Position, Position]

function isBridged(first: Loop, second: Loop, from: Position, to: Position): boolean {
  const inFirst = new Set(first.positions)
  const inSecond = new Set(second.positions)
  const seen = new Map<Position, Map<Position, Set<Position>>>()
  const open: State[] = [[from, from, to]]
  for (let visited = 0; visited < MAX_STATES; visited++) {
    const state = open.pop()
    if (state === undefined) return false
    for (const next of statesAfter(state, inFirst, inSecond, first.ahead)) {
      const [a, b, c] = next
      if (a === from && b === to && c === to) return true
      if (isNew(seen, next)) open.push(next)
    }
  }
  return true
}

function statesAfter(
  [first, bridge, second]: State,
  inFirst: ReadonlySet<Position>,
  inSecond: ReadonlySet<Position>,
  ahead: ReadonlySet<Position>,
): State[] {
  const states: State[] = []
  for (const a of first.next.keys()) {
    if (!inFirst.has(a)) continue
    for (const c of second.next.keys()) {
      if (!inSecond.has(c)) continue
      const common: Bits = commonOf(a.characters, c.characters)
      for (const b of bridge.next.keys()) {
        if (ahead.has(b) && haveCommon(common, b.characters)) states.push([a, b, c])
      }
    }
  }
  return states
}

/** Adds a state; returns whether it was new. */
function isNew(seen: Map<Position, Map<Position, Set<Position>>>, [a, b, c]: State): boolean {
  const second = remember(seen, a, () => new Map<Position, Set<Position>>())
  const third = remember(second, b, () => new Set<Position>())
  const { size } = third
  return third.add(c).size > size
}
