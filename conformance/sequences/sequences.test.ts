// Whatever a client sends on one connection, each request gets one whole response, or the connection ends as its last
// response announced; and each request that began ends once.
import { describe, expect, it } from 'vitest'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { playCases } from '../harness/play-cases.ts'
import { collectUnhandled } from '../harness/unhandled.ts'
import { isPeer } from '../harness/subject.ts'
import { LANES } from './clients.ts'
import type { Mistake } from './define-app.ts'
import { drawCase } from './draw.ts'
import type { Asked, Case } from './draw.ts'
import { playCase } from './judge.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_129)
const CASES = Number(process.env['CLOISTER_SEQUENCES'] ?? 40)
const AT_ONCE = 8

const lost = collectUnhandled()

describe.skipIf(isPeer).each(LANES)('requests on one connection over $name', (lane) => {
  it(`have one response and one end each, in ${CASES} random connections`, async () => {
    const random = new Random(SEED)
    const cases = Array.from({ length: CASES }, () => drawCase(random))
    const found = await playCases(cases, AT_ONCE, (given) => playCase(lane, given))
    expect(found.slice(0, 3).map((one) => ({ seed: SEED, ...one }))).toEqual([])
    expect(lost).toEqual([])
  }, 1_800_000)
})

const PLAIN: Asked = {
  method: 'GET',
  body: 'none',
  isLong: false,
  framing: 'length',
  expects: false,
  closes: false,
  upgrades: false,
  handler: 'returns text',
  stop: null,
  fails: 'nothing',
  pieces: 'one',
  sendsBodyLater: false,
  isPipelined: true,
}
const TWO: Case = {
  requests: [PLAIN, { ...PLAIN, isPipelined: false }],
  client: 'waits',
  closesAt: -1,
}
const MISTAKES: Readonly<Record<Mistake, string>> = {
  'ends twice': 'request 0 ended 2 times: onResponse,onResponse',
  'never ends': 'request 0 ended 0 times: ',
  'loses a response': 'request 0 has no response',
  'mixes up responses': 'request 1 has the response of request another',
  'ends a connection': 'the connection has ended without an announcement',
  'cuts a response': 'the response to request 0 is cut',
  'gives another content': 'the response to request 0 has another content',
}
/** What is lost does not come later. */
const SHORT_MS = 300

describe.skipIf(isPeer)('the test of connections', () => {
  const [lane] = LANES

  it('finds nothing in a right app', async () => {
    if (lane !== undefined) expect(await playCase(lane, TWO)).toEqual([])
  })

  it.each(Object.entries(MISTAKES))('finds an app that %s', async (name, finding) => {
    const mistake = Object.keys(MISTAKES).find((one): one is Mistake => one === name)
    if (lane !== undefined) expect(await playCase(lane, TWO, mistake, SHORT_MS)).toContain(finding)
  })
})
