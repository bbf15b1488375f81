import { haveCommon } from './bits.ts'
import type { Loop } from './loops.ts'
import type { Automaton, Position } from './positions.ts'

/*
 * Many optional elements in a row take exponential time without any loop: `a?a?a?aaa` can leave out any of its first
 * letters. The ways to read a text of one repeated character are counted, step by step.
 */

/** Fewer optional elements have few ways. */
const MIN_OPTIONAL = 16
const MANY_WAYS = 2 ** 17

/** Whether a text can be read in very many ways without any loop. */
export function hasManyChoices(
  { positions, accepting, optional }: Automaton,
  loops: readonly Loop[],
): boolean {
  if (optional < MIN_OPTIONAL) return false
  const looping = new Set(loops.flatMap((loop) => loop.positions))
  const straight = positions.filter((position) => !looping.has(position) && !accepting.has(position))
  const samples = straight.slice(0, 8)
  return samples.some((sample) => {
    const readers = straight.filter((position) => haveCommon(position.characters, sample.characters))
    return mostWays(readers) >= MANY_WAYS
  })
}

/** The most ways that lead to any of the positions, each of which reads one more character than the one before. */
function mostWays(readers: readonly Position[]): number {
  const known = new Set(readers)
  let ways = new Map(readers.map((position) => [position, 1]))
  let most = 0
  for (let step = 0; step < readers.length && ways.size > 0 && most < MANY_WAYS; step++) {
    const after = new Map<Position, number>()
    for (const [position, count] of ways) {
      for (const [next, edges] of position.next) {
        if (known.has(next)) after.set(next, (after.get(next) ?? 0) + count * edges)
      }
    }
    most = Math.max(most, ...after.values())
    ways = after
  }
  return most
}
