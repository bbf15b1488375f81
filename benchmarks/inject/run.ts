/**
 * `npm run inject -w @cloister/benchmarks -- --help`: what one call of `inject` costs. Both frameworks are in this
 * process, and take turns in slices.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cloister } from 'cloister'
import { fastify } from 'fastify5'
import { describeLoad } from '../support/pin.ts'
import { least, median, rotate } from '../support/statistics.ts'
import { formatRatio, formatTable } from '../support/table.ts'
import { calls, defineRoutes } from './apps.ts'
import type { Inject } from './apps.ts'

const help = `Options:
  --slices n   slices of each subject; the first quarter warms up (24)
  --calls n    calls in a slice (2000)`

/** Calls between two turns of the event loop, as in a test that also waits for other things. */
const CALLS_PER_TURN = 20

const { values } = parseArgs({
  options: {
    slices: { type: 'string', default: '24' },
    calls: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(help)
else await run(Number(values.slices), Number(values.calls))

async function run(slices: number, count: number): Promise<void> {
  console.log(`Node ${process.version}; load average before: ${describeLoad()}`)
  console.log('CPU of one call of inject, in µs: the least of the slices, and their median')
  const rows: string[][] = []
  for (const readsRaw of [false, true]) {
    const apps = await createApps(readsRaw)
    for (const name of Object.keys(calls)) {
      rows.push(await measure(readsRaw ? `${name}, request.raw read` : name, name, apps, slices, count))
    }
  }
  console.log(formatTable(['call', 'cloister', 'median', 'fastify5', 'median', 'ratio'], rows))
  console.log(`\nLoad average after: ${describeLoad()}`)
}

async function createApps(readsRaw: boolean): Promise<readonly Inject[]> {
  const ours = cloister()
  defineRoutes(ours, readsRaw)
  const theirs = fastify()
  defineRoutes(theirs, readsRaw)
  await ours.ready()
  await theirs.ready()
  return [(call) => ours.inject(call), (call) => theirs.inject(call)]
}

async function measure(
  label: string,
  name: string,
  apps: readonly Inject[],
  slices: number,
  count: number,
): Promise<string[]> {
  const figures = new Map<Inject, number[]>(apps.map((app) => [app, []]))
  for (let slice = 0; slice < slices; slice += 1) {
    for (const app of rotate(apps, slice)) figures.get(app)?.push(await measureSlice(app, name, count))
  }
  const kept = [...figures.values()].map((all) => all.slice(Math.ceil(slices / 4)))
  const [ours = Number.NaN, theirs = Number.NaN] = kept.map(least)
  const cells = kept.flatMap((all) => [least(all).toFixed(1), median(all).toFixed(1)])
  return [label, ...cells, formatRatio(ours / theirs)]
}

/** @returns microseconds of CPU time of one call */
async function measureSlice(inject: Inject, name: string, count: number): Promise<number> {
  const { call, body } = calls[name] ?? { call: undefined, body: '' }
  if (call === undefined) throw new Error(`no call is named ${name}`)
  const start = process.cpuUsage()
  for (let index = 0; index < count; index += 1) {
    const response = await inject(call)
    if (response.statusCode !== 200 || response.body !== body) throw new Error(response.body)
    if (index % CALLS_PER_TURN === 0) await nextTurn()
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}
