// Every exchange ends once, in order, with nothing held, however its client behaves: random apps and clients.
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { playCases } from '../harness/play-cases.ts'
import { collectUnhandled } from '../harness/unhandled.ts'
import { isPeer } from '../harness/subject.ts'
import { LANES } from './clients.ts'
import type { Fault } from './define-app.ts'
import { drawCase } from './draw.ts'
import type { Case } from './draw.ts'
import { playCase } from './judge.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_128)
const CASES = Number(process.env['CLOISTER_ENDS'] ?? 30)
const AT_ONCE = 10

const lost = collectUnhandled()

describe.skipIf(isPeer).each(LANES)('ends over $name', (lane) => {
  it(`are one, in order, with nothing held, in ${CASES} random cases`, async () => {
    const random = new Random(SEED)
    const cases = Array.from({ length: CASES }, () => drawCase(random, lane))
    const found = await playCases(cases, AT_ONCE, (given) => playCase(lane, given))
    expect(found.slice(0, 5).map((one) => ({ seed: SEED, ...one }))).toEqual([])
    expect(lost).toEqual([])
  }, 1_800_000)
})

const PLAIN: Case = {
  hooks: [
    { at: 'onRequest', mode: 'sync' },
    { at: 'preHandler', mode: 'async' },
  ],
  sends: [
    { at: 'onSend', mode: 'done' },
    { at: 'onSend', mode: 'async' },
  ],
  handler: 'streams',
  refusal: -1,
  waits: -1,
  hasGuard: true,
  decodes: false,
  plugin: 'none',
  leaves: 'in response',
  resets: false,
  pace: 'at once',
  requests: 1,
}
const FAULTS: Readonly<Record<Fault, readonly [finding: string, given: Case]>> = {
  'loses an onSend hook': ['onSend: onSend 0', PLAIN],
  'never runs the handler': ['the handler ran 0 times', { ...PLAIN, leaves: 'stays' }],
  'keeps a source': ['1 sources are open', PLAIN],
  'gives nothing back': ['taken 1, given 0', PLAIN],
  'swaps hooks': ['path: hook 1,hook 0', PLAIN],
  'aborts twice': ['onRequestAbort ran 2 times', PLAIN],
  'keeps a guard': ['1 guards are held', PLAIN],
  'loses a session': ['the session was not saved', { ...PLAIN, plugin: 'session' }],
}

describe.skipIf(isPeer)('the test of ends', () => {
  const [lane] = LANES
  it('finds nothing in a right app', async () => {
    if (lane !== undefined) expect(await playCase(lane, PLAIN)).toEqual([])
  })
  it.concurrent.each(Object.entries(FAULTS))('finds an app that %s', async (name, [finding, given]) => {
    const fault = Object.keys(FAULTS).find((one): one is Fault => one === name)
    if (lane !== undefined) expect(await playCase(lane, given, fault)).toContain(finding)
  })
})
