import type { Position } from './ends.ts'
import type { Automaton } from './positions.ts'

/** Positions of an automaton that can all be reached from each other. */
export interface Loop {
  readonly positions: readonly Position[]
  /** Maximum number of characters that it can read. */
  readonly length: number
  /** The positions that can be reached from it. */
  readonly ahead: ReadonlySet<Position>
}

/** The loops of an automaton in which a text can fail to match: behind a position that accepts, no other way is tried. */
export function loopsOf({ positions, accepting }: Automaton): Loop[] {
  const failing = positions.filter((position) => !accepting.has(position))
  const reachable = new Map(failing.map((position) => [position, reachedFrom(position, accepting)]))
  const done = new Set<Position>()
  const loops: Loop[] = []
  for (const position of failing) {
    const ahead = reachable.get(position)
    if (done.has(position) || ahead === undefined || !ahead.has(position)) continue
    const loop = [...ahead].filter((other) => reachable.get(other)?.has(position) === true)
    for (const member of loop) done.add(member)
    const length = loop.length * Math.max(...loop.map(({ repetitions }) => repetitions))
    loops.push({ positions: loop, length, ahead })
  }
  return loops
}

function reachedFrom(start: Position, accepting: ReadonlySet<Position>): ReadonlySet<Position> {
  const reached = new Set<Position>()
  const addAfter = ({ next }: Position): void => {
    for (const position of next.keys()) if (!accepting.has(position)) reached.add(position)
  }
  addAfter(start)
  // A set is visited in the order in which it grows.
  for (const position of reached) addAfter(position)
  return reached
}
