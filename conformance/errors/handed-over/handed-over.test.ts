// Whatever an application hands over, and whenever it fails: the process goes on, the client gets one whole response or
// a connection that is cut, and everything is closed.
import { expect, it } from 'vitest'
import { Random } from '../../../packages/schema/test/validator/random.ts'
import { playCases } from '../../harness/play-cases.ts'
import { collectUnhandled } from '../../harness/unhandled.ts'
import { describeLanes } from '../../responses/lanes.ts'
import { drawCase } from './draw.ts'
import { playCase } from './judge.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_130)
const CASES = Number(process.env['CLOISTER_HANDED_OVER'] ?? 40)
const AT_ONCE = 10

const lost = collectUnhandled()

describeLanes('errors: sources that fail', (lane) => {
  it(`end no process, look not whole, and are closed, in ${CASES} random cases`, async () => {
    const random = new Random(SEED)
    const cases = Array.from({ length: CASES }, () => drawCase(random, 'isEngine' in lane, lane.hasRaw))
    const found = await playCases(cases, AT_ONCE, (given) => playCase(lane, given))
    expect(found.slice(0, 5).map((one) => ({ seed: SEED, ...one }))).toEqual([])
    expect(lost.splice(0)).toEqual([])
  }, 1_800_000)
})
