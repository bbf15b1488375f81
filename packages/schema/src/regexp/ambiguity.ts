import { haveCommon } from './bits.ts'
import type { Loop } from './loops.ts'
import type { Position } from './ends.ts'

/*
 * An automaton takes exponential time when some state can be left and reached again in two ways while the same text
 * is read (exponential degree of ambiguity: Weber and Seidl 1991): each repetition of that text doubles the ways.
 */

/** Larger loops are not analysed. */
const MAX_LOOP_SIZE = 100

/** Whether a loop reads some text in a number of ways that grows exponentially with its length; undefined if too large. */
export function isAmbiguous({ positions }: Loop): boolean | undefined {
  if (positions.length > MAX_LOOP_SIZE) return undefined
  return hasParallelEdges(new Set(positions)) || hasParallelPaths(positions)
}

/** Whether two ways lead along one edge of the loop. */
function hasParallelEdges(loop: ReadonlySet<Position>): boolean {
  return [...loop].some((position) => [...position.next].some(([next, ways]) => ways > 1 && loop.has(next)))
}

/** Whether two paths part at a position, read the same text and meet again. */
function hasParallelPaths(loop: readonly Position[]): boolean {
  const pairs = new PairGraph(loop)
  const parted = pairs.reached((pair) => pairs.after(pair))
  const meeting = pairs.reached((pair) => pairs.before(pair))
  return pairs.apart.some((pair) => parted.has(pair) && meeting.has(pair))
}

/** Pairs of positions that the same text reaches, as numbers. */
class PairGraph {
  readonly #positions: readonly Position[]
  readonly #after: number[][] = []
  readonly #before: number[][] = []

  constructor(positions: readonly Position[]) {
    this.#positions = positions
    const { length } = positions
    const steps = positions.map(({ next }) => positions.flatMap((to, index) => (next.has(to) ? [index] : [])))
    const meet = positions.map((one) =>
      positions.map((other) => haveCommon(one.characters, other.characters)),
    )
    for (let pair = 0; pair < length * length; pair++) this.#before.push([])
    for (let pair = 0; pair < length * length; pair++) {
      const lefts = steps[Math.floor(pair / length)] ?? []
      const rights = steps[pair % length] ?? []
      const after = lefts.flatMap((left) =>
        rights.filter((right) => meet[left]?.[right] === true).map((right) => left * length + right),
      )
      this.#after.push(after)
      for (const next of after) this.#before[next]?.push(pair)
    }
  }

  /** The pairs of two different positions. */
  get apart(): number[] {
    const { length } = this.#positions
    return [...this.#after.keys()].filter((pair) => Math.floor(pair / length) !== pair % length)
  }

  after(pair: number): readonly number[] {
    return this.#after[pair] ?? []
  }

  before(pair: number): readonly number[] {
    return this.#before[pair] ?? []
  }

  /** Returns the pairs that can be reached, in one direction, from the pairs of a position with itself. */
  reached(step: (pair: number) => readonly number[]): ReadonlySet<number> {
    const { length } = this.#positions
    const reached = new Set(this.#positions.map((_position, index) => index * length + index))
    // A set is visited in the order in which it grows.
    for (const pair of reached) for (const next of step(pair)) reached.add(next)
    return reached
  }
}
