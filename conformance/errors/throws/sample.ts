// How much of the matrices a run takes: a seeded sample every day, all of it with `CLOISTER_THROWS=all`.
import { writeSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import type { TransportName } from '../../harness/transports.ts'

const isWhole = process.env['CLOISTER_THROWS'] === 'all'
const seed = Number(process.env['CLOISTER_SEED'])

/** A connection for each request takes longer than the request. */
const OVER_SOCKETS: ReadonlySet<TransportName> = new Set(['socket', 'wire', 'http2'])
const MAX_OVER_SOCKETS = 24

/** Draws some of a list, the same for the same seed and key. */
function draw<T>(list: readonly T[], count: number, key: string): T[] {
  const length = Math.min(count, list.length)
  const drawn = fc.sample(fc.shuffledSubarray([...list], { minLength: length, maxLength: length }), {
    seed: Buffer.from(key).reduce((sum, byte) => (sum * 31 + byte) | 0, seed),
    numRuns: 1,
  })
  return drawn[0] ?? []
}

/** The values that a row is tried with. */
export function valuesOf(values: readonly string[], transport: TransportName, key: string): string[] {
  if (!isWhole) return draw(values, 4, key)
  return OVER_SOCKETS.has(transport) ? draw(values, MAX_OVER_SOCKETS, key) : [...values]
}

/** The rows of a test that are tried. */
export function rowsOf<T>(rows: readonly T[], key: string): T[] {
  return isWhole ? [...rows] : draw(rows, 2, key)
}

/** How long the rows of a test may take. */
export const ROWS_MS: number = isWhole ? 1_800_000 : 300_000

/** Counts what a file has tried and found; a whole run prints it. */
export class Tally {
  #cases = 0
  readonly #findings: Record<string, number> = {}

  constructor(name: string) {
    afterAll(() => {
      const counts = JSON.stringify({ cases: this.#cases, ...this.#findings })
      // What a thread writes may get lost at its end.
      if (isWhole) writeSync(1, `${name}: ${counts}\n`)
    })
  }

  /** Notes a case and its findings. */
  add(faults: readonly string[]): void {
    this.#cases += 1
    for (const fault of faults) this.#findings[fault] = (this.#findings[fault] ?? 0) + 1
  }
}
