// Whatever an application hands over, and whenever it fails: the process goes on, the client gets one whole response or
// a connection that is cut, and everything is closed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../../packages/schema/test/validator/random.ts'
import { describeLanes } from '../../responses/lanes.ts'
import { drawCase } from './draw.ts'
import { playCase } from './judge.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_130)
const CASES = Number(process.env['CLOISTER_HANDED_OVER'] ?? 40)
const AT_ONCE = 10

const lost: unknown[] = []
const note = (error: unknown): void => void lost.push(error)
beforeAll(() => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

describeLanes('errors: sources that fail', (lane) => {
  it(`end no process, look not whole, and are closed, in ${CASES} random cases`, async () => {
    const random = new Random(SEED)
    const cases = Array.from({ length: CASES }, () => drawCase(random, 'isEngine' in lane, lane.hasRaw))
    const found: unknown[] = []
    let next = 0
    const work = async (): Promise<void> => {
      for (let index = next++; index < cases.length; index = next++) {
        const given = cases[index]
        if (given === undefined) return
        const findings = await playCase(lane, given)
        if (findings.length > 0) found.push({ seed: SEED, index, findings, given })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(found.slice(0, 5)).toEqual([])
    expect(lost.splice(0)).toEqual([])
  }, 1_800_000)
})
