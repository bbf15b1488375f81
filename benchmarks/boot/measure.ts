/**
 * One measurement in a process of its own: `node --expose-gc measure.js <subject> <routes> <layout> [profile]`.
 * Prints one line of JSON. With a fourth argument the boot is profiled into that file; its figures then contain
 * the cost of profiling.
 *
 * From `ready()` on no timer fires: compilation in idle time would warm the routes whose first hit is measured,
 * and would be charged to the hits it falls into.
 */
import { writeFileSync } from 'node:fs'
import { startCpuProfile } from '../support/cpu-profile.ts'
import { median } from '../support/statistics.ts'
import { delayTimers } from '../support/timers.ts'
import { defineApp, isLayout, requestFor } from './app.ts'
import { importSubject, isBootSubjectName } from './subject.ts'

/** What one process measured. CPU is user and system time of the whole process, garbage collection included. */
export interface BootFigures {
  readonly importMs: number
  readonly readyMs: number
  readonly heapMb: number
  readonly rssMb: number
  readonly firstHitMedianMs: number
  readonly firstHitMostMs: number
  readonly warmHitMedianMs: number
}

const [subject = '', routeWord = '', layout = '', profileFile] = process.argv.slice(2)
if (!isBootSubjectName(subject) || !isLayout(layout))
  throw new Error('Usage: measure.js subject routes layout')
const routes = Number(routeWord)
const coldRoutes = 50

const beforeImport = cpuMs()
const create = await importSubject(subject)
const importMs = cpuMs() - beforeImport

const stopProfile = profileFile === undefined ? undefined : await startCpuProfile()
const heapBefore = heapAfterCollection()
const beforeBoot = cpuMs()
const app = create()
app.host.route({ method: 'POST', url: '/warm-up', handler: (_request, reply) => reply.send({ ok: true }) })
defineApp(app.host, routes, layout)
delayTimers()
await app.ready()
const readyMs = cpuMs() - beforeBoot
if (stopProfile !== undefined && profileFile !== undefined) {
  writeFileSync(profileFile, JSON.stringify(await stopProfile()))
}
const rssMb = process.memoryUsage().rss / 2 ** 20
const heapMb = (heapAfterCollection() - heapBefore) / 2 ** 20

for (let count = 0; count < 50; count += 1) {
  await app.inject({ method: 'POST', url: '/warm-up', payload: { some: 'body' } })
}
const firstHits = await hitEach()
const secondHits = await hitEach()

const figures: BootFigures = {
  importMs,
  readyMs,
  heapMb,
  rssMb,
  firstHitMedianMs: median(firstHits),
  firstHitMostMs: Math.max(...firstHits),
  warmHitMedianMs: median(secondHits),
}
console.log(JSON.stringify(figures))
process.exit(0)

/** CPU time of one request to each of up to 50 routes spread over the application. */
async function hitEach(): Promise<number[]> {
  const times: number[] = []
  const step = Math.max(1, Math.floor(routes / coldRoutes))
  for (let index = 0; index < routes && times.length < coldRoutes; index += step) {
    const request = requestFor(index)
    const before = cpuMs()
    const response = await app.inject(request)
    times.push(cpuMs() - before)
    if (response.statusCode !== 200) throw new Error(`${request.url} has the response ${response.body}`)
  }
  return times
}

function cpuMs(): number {
  const usage = process.cpuUsage()
  return (usage.user + usage.system) / 1000
}

function heapAfterCollection(): number {
  if (globalThis.gc === undefined) throw new Error('Run node with --expose-gc')
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed
}
