// Guards in random apps: order, values, and each release once, in reverse order, when nothing runs that has the value.
import { describe, expect, it } from 'vitest'
import { cloister } from 'cloister'
import { Random } from '../../packages/schema/test/validator/random.ts'
import { turnsUntil } from '../ends/clients.ts'
import type { App } from '../harness/app-shape.ts'
import { LANES as OTHERS } from '../harness/leaving-client.ts'
import type { Lane } from '../harness/leaving-client.ts'
import { tick } from '../harness/time.ts'
import { isPeer } from '../harness/subject.ts'
import { drawCase, pathTo, runsOf } from './draw.ts'
import type { Case } from './draw.ts'
import { createStory, DEADLINE_MS, defineApp } from './drawn-app.ts'
import type { Fault, Story } from './drawn-app.ts'

const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_261_129)
const CASES = Math.ceil(Number(process.env['CLOISTER_ENDS'] ?? 30) / 2)

const inject: Lane = {
  name: 'inject',
  options: {},
  hasRaw: true,
  post: async (app, payload, url = '/') => {
    const headers = { 'content-type': 'application/json' }
    void Promise.resolve(app.inject({ method: 'POST', url, headers, payload })).catch(() => {})
    return () => {}
  },
}
const LANES: readonly Lane[] = [inject, ...OTHERS]

/** Plays a case. @returns what is wrong */
async function play({ options, post }: Lane, given: Case, fault?: Fault): Promise<readonly string[]> {
  const stories = given.calls.map(createStory)
  const handlerTimeout = given.calls.some(({ node }) => isSlow(given, node)) ? DEADLINE_MS : 0
  const app = cloister({
    logger: false,
    forceCloseConnections: true,
    handlerTimeout,
    ...options,
  }) as unknown as App
  defineApp(app, given.root, stories, fault)
  await app.ready()
  await Promise.all(
    stories.map(async (story, index) => {
      const { node, leavesIn } = story.call
      const leave = await post(app, '{}', `/${node}?call=${index}`)
      if (leavesIn === null) return
      // A request that ends before waits for nobody.
      await turnsUntil(() => story.isOver || story.ran.includes(leavesIn))
      if (story.ran.includes(leavesIn))
        await Promise.race([story.arrived.promise, turnsUntil(() => story.isOver)])
      leave()
    }),
  )
  const found = (): string[] =>
    stories.flatMap((story, index) => judge(given, story).map((one) => `${index}: ${one}`))
  await turnsUntil(() => found().length === 0)
  for (let turn = 0; turn < 5; turn++) await tick()
  const findings = found()
  await app.close()
  return findings
}

function isSlow({ root }: Case, node: number): boolean {
  return runsOf(pathTo(root, node)).some(
    ({ entry, isReplaced }) => entry.deed === 'outlasts the deadline' && !isReplaced,
  )
}

function judge(given: Case, story: Story): string[] {
  const { ran, taken, released, faults, running, isOver, call } = story
  const runs = runsOf(pathTo(given.root, call.node))
  const isReleased = (id: number): boolean =>
    runs.some(({ entry }) => entry.id === id && entry.release !== 'none')
  const wanted = taken.filter(isReleased).toReversed()
  const isEqual = (one: readonly unknown[], other: readonly unknown[]): boolean =>
    String(one) === String(other)
  const path = pathOf(given, story)
  return [
    ...faults,
    isOver ? '' : 'it is not over',
    running === 0 ? '' : `${running} run`,
    isEqual(released, wanted) ? '' : `taken ${taken.join()}, released ${released.join()}`,
    path === null || isEqual(ran, path) ? '' : `ran ${ran.join()} instead of ${path.join()}`,
  ].filter((one) => one !== '')
}

/** What must run; `null` where the deadline decides. */
function pathOf(given: Case, { call }: Story): (number | 'handler')[] | null {
  if (given.calls.some(({ node }) => isSlow(given, node))) return null
  const path: (number | 'handler')[] = []
  for (const { entry, isReplaced } of runsOf(pathTo(given.root, call.node))) {
    if (isReplaced) continue
    path.push(entry.id)
    if (entry.deed !== 'passes') return path
  }
  return [...path, 'handler']
}

describe.skipIf(isPeer).each(LANES)('guards over $name', (lane) => {
  it(`run in order and give back what they took in ${CASES} random apps`, async () => {
    const random = new Random(SEED)
    const found: unknown[] = []
    for (let index = 0; index < CASES; index++) {
      const given = drawCase(random, lane)
      const findings = await play(lane, given)
      if (findings.length > 0) found.push({ seed: SEED, index, findings, given })
    }
    expect(found.slice(0, 3)).toEqual([])
  }, 1_800_000)
})

describe.skipIf(isPeer)('the test of guards', () => {
  const held = (id: number, name: string) =>
    ({ id, name, at: 'onRequest', mode: 'async', deed: 'passes', release: 'sync' }) as const
  const root = {
    id: 0,
    entries: [held(0, 'user'), held(1, 'role')],
    overrides: [],
    handler: 'returns',
    children: [],
  } as const
  const given: Case = { root, calls: [0, 0].map((node) => ({ node, leavesIn: null })) }

  it('finds nothing in a right app', async () => {
    expect(await play(inject, given)).toEqual([])
  })

  it.each([
    ['forgets a release', '0: taken 0,1, released '],
    ['releases in order', '0: taken 0,1, released 0,1'],
    ['mixes the requests', '1: request.user is of another'],
  ] as const)('finds an app that %s', async (fault, finding) => {
    expect(await play(inject, given, fault)).toContain(finding)
  })
})
