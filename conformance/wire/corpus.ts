// Runs the corpus in one mode: several apps side by side, each with cases of its own.
import { listenOnce } from '../harness/send.ts'
import { drive } from './drive.ts'
import { judge } from './judge.ts'
import type { Hits } from './judge.ts'
import { createReferenceApp } from './reference-app.ts'
import type { SendMode, WireCase } from './wire-case.ts'

/** The faults of each case, by its id. */
export type Outcome = ReadonlyMap<string, readonly string[]>

/** The option `transport` of the apps. */
export type Transport = 'auto' | 'node'

const LANES = 6

/** Some cases wait for a deadline. */
const SHORT = { headersTimeout: 2000, requestTimeout: 3000 }
/** For requests in pieces, however slow the machine is. */
const LONG = { headersTimeout: 60_000, requestTimeout: 120_000 }

function difference(after: Hits, before: Hits): Hits {
  const entries = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
  return Object.fromEntries(entries.filter(([, count]) => count !== 0))
}

/** Runs cases one after the other, so that the handlers that run are those of the case. */
async function runLane(
  cases: readonly WireCase[],
  mode: SendMode,
  transport: Transport,
  faults: Map<string, readonly string[]>,
) {
  const { app, hits } = createReferenceApp(transport, mode === 'asis' ? SHORT : LONG)
  try {
    const { port } = await listenOnce(app)
    for (const wireCase of cases) {
      const before = { ...hits }
      const driven = await drive(port, wireCase, mode)
      const polluted = Object.keys(Object.prototype).map((name) => `Object.prototype has ${name}`)
      faults.set(wireCase.id, [...judge(wireCase, driven, difference(hits, before)), ...polluted])
    }
  } finally {
    await app.close()
  }
}

/** Runs cases that wait for deadlines side by side. */
async function runSlow(
  cases: readonly WireCase[],
  transport: Transport,
  faults: Map<string, readonly string[]>,
): Promise<void> {
  const { app } = createReferenceApp(transport, SHORT)
  try {
    const { port } = await listenOnce(app)
    const run = async (wireCase: WireCase): Promise<void> => {
      faults.set(wireCase.id, judge(wireCase, await drive(port, wireCase, 'asis'), null))
    }
    await Promise.all(cases.map(run))
  } finally {
    await app.close()
  }
}

/** Runs the corpus; cases that wait for deadlines are sent as they are written, whatever the mode. */
export async function runCorpus(
  cases: readonly WireCase[],
  mode: SendMode,
  transport: Transport,
): Promise<Outcome> {
  const faults = new Map<string, readonly string[]>()
  const quick = cases.filter(({ slow }) => slow !== true)
  const slow = mode === 'asis' ? cases.filter((wireCase) => wireCase.slow === true) : []
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    quick.filter((_case, index) => index % LANES === lane),
  )
  await Promise.all([
    ...lanes.map((lane) => runLane(lane, mode, transport, faults)),
    runSlow(slow, transport, faults),
  ])
  return faults
}
