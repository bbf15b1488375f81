/** Child process of `run.ts`: refuses requests of one app and prints what that took as JSON. */
import { defineApp, requestFor } from '../boot/app.ts'
import { importSubject, isBootSubjectName, type BootSubject } from '../boot/subject.ts'
import { median } from '../support/statistics.ts'
import { delayTimers } from '../support/timers.ts'

/** What refusals cost, in milliseconds of CPU time, injection included. */
export interface RefusalFigures {
  /** The first refusal of the process. */
  readonly processMs: number
  /** The first refusal of each further route, median. */
  readonly schemaMs: number
  /** A refusal by a validator that has refused before, mean of many. */
  readonly warmMs: number
}

const ROUTES = 100
const WARM_UP_ROUNDS = 60
const WARM_ROUNDS = 30

const [, , subject = ''] = process.argv
if (isBootSubjectName(subject)) console.log(JSON.stringify(await measure(subject)))
else throw new Error(`unknown subject: ${subject}`)

async function measure(name: Parameters<typeof importSubject>[0]): Promise<RefusalFigures> {
  const create = await importSubject(name)
  delayTimers()
  const app = create()
  defineApp(app.host, ROUTES, 'root')
  await app.ready()
  // What valid requests need is there before the first refusal.
  for (let index = 0; index < ROUTES; index += 1) await request(app, index, 200)
  const firsts: number[] = []
  for (let index = 0; index < ROUTES; index += 1) firsts.push(await cpuOf(() => request(app, index, 400)))
  const [processMs = Number.NaN, ...others] = firsts
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await refuseAll(app)
  const warm = await cpuOf(async () => {
    for (let round = 0; round < WARM_ROUNDS; round += 1) await refuseAll(app)
  })
  return { processMs, schemaMs: median(others), warmMs: warm / (ROUTES * WARM_ROUNDS) }
}

async function refuseAll(app: BootSubject): Promise<void> {
  for (let index = 0; index < ROUTES; index += 1) await request(app, index, 400)
}

async function request(app: BootSubject, index: number, status: 200 | 400): Promise<void> {
  const { method, url, payload } = requestFor(index)
  const price = { amount: status === 200 ? 12.5 : 'much', currency: 'EUR' }
  const { statusCode, body } = await app.inject({ method, url, payload: { ...payload, price } })
  const expected = status === 200 || body.includes('body/price/amount must be number')
  if (statusCode !== status || !expected) throw new Error(`${statusCode} instead of ${status}: ${body}`)
}

async function cpuOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
