import { actorsOf, type Actor } from './actors.ts'
import { bodiesOf } from './bodies.ts'
import { leastMs } from './measure.ts'
import type { Named } from './shapes.ts'

/** For how long one value keeps one validator or serializer busy. */
export interface Row {
  readonly ms: number
  readonly schema: string
  readonly actor: string
  readonly body: string
}

/** How a value is measured: its size, and how often at most. */
export interface Measured {
  readonly size: number
  readonly attempts: number
  /** A time that is short enough to stop at. */
  readonly enough: number
}

/**
 * Measures every schema with every body.
 *
 * @param isWanted - leaves rows out
 */
export function measure(
  schemas: readonly Named[],
  { size, ...limits }: Measured,
  isWanted: (row: Omit<Row, 'ms'>) => boolean = () => true,
): Row[] {
  const bodies = Object.entries(bodiesOf(size))
  return schemas.flatMap((named) =>
    [...actorsOf(named)].flatMap(([actor, act]) =>
      bodies
        .map(([body, text]) => ({ row: { schema: named.name, actor, body }, text }))
        .filter(({ row }) => isWanted(row))
        .map(({ row, text }) => ({ ...row, ms: leastMs(quietly(act), () => parsed(text), limits) })),
    ),
  )
}

/** Serializers throw for values of other types. */
function quietly(act: Actor): Actor {
  return (value) => {
    try {
      return act(value)
    } catch {
      return undefined
    }
  }
}

function parsed(text: string): unknown {
  return JSON.parse(text)
}
