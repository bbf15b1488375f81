// How the CPU time of a request grows with a text that its client chooses.
import type { cloister, InjectOptions } from 'cloister'
import { expect } from 'vitest'

export { growthOf } from '../../packages/schema/test/growth.ts'

export const MIB = 1_048_576
/** Above this, CPU time grows faster than the text that it is spent on. */
export const LINEAR = 1.6
const ATTEMPTS = 8

type App = Pick<ReturnType<typeof cloister>, 'inject'>
type Request = string | InjectOptions

/** The least CPU time of some requests, in microseconds. */
async function leastTime(app: App, request: Request): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage()
    await app.inject(request)
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, user + system)
  }
  return least
}

/** Expects linear growth up to 1 MiB, in one of some attempts: other threads use CPU time, too. */
export async function expectLinear(
  app: App,
  requestOf: (size: number) => Request,
  what?: string,
): Promise<void> {
  const [small, large] = [requestOf(MIB / 4), requestOf(MIB)]
  let growth = Infinity
  for (let attempt = 0; attempt < ATTEMPTS && growth > LINEAR; attempt++) {
    growth = Math.log((await leastTime(app, large)) / (await leastTime(app, small))) / Math.log(4)
  }
  expect(growth, what).toBeLessThan(LINEAR)
}

/** Returns a text with this length: a start, and a piece that is repeated. */
export function textOf(start: string, piece: string, length: number): string {
  return (start + piece.repeat(length)).slice(0, length)
}
