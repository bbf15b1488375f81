import { subscribe } from 'node:diagnostics_channel'
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

import { ADVICE, exportsOf, formOf } from '../app-form.ts'
import { objectOf } from '../diff/json.ts'
import { printError } from '../print-error.ts'
import { drawRequests } from '../exchanges/draw-requests.ts'
import { isFunction } from '../exchanges/watch-app.ts'
import { loadedPackages } from './loaded-packages.ts'
import type { PlannedRequest, RunExchange, RunOrder, RunReport, Table } from './exchange-file.ts'
import { sendTo } from './send.ts'
import { SeenApp } from './seen-app.ts'
import { watchScript } from './watch-script.ts'

/*
 * `cloister build` runs this module in a process of its own for an app, and for what it has built of it:
 * `node run-app.js <order> <report>`. It makes the app ready without a port, and sends it requests.
 */

const PATIENCE_MS = 60_000
const WAKE_MS = 5000
const [, , orderFile = '', reportFile = ''] = process.argv
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the command has written it, in the form of this type
const order = JSON.parse(readFileSync(orderFile, 'utf8')) as RunOrder
const seen: SeenApp[] = []
subscribe('fastify.initialization', (message) => {
  const app: unknown = Reflect.get(Object(message), 'fastify')
  if (typeof app === 'object' && app !== null) seen.push(new SeenApp(app, order.methods))
})
/** Where a bundle with probes notes which of them ran. */
const spots = new Set<number>()
Reflect.set(globalThis, Symbol.for('cloister.build.spots'), spots)
/** What the framework warns of. */
const warnings: string[] = []
process.on('warning', (warning) => {
  const code: unknown = Reflect.get(warning, 'code')
  if (typeof code === 'string' && code.startsWith('CLO_')) warnings.push(`${code}: ${warning.message}`)
})
const timer = setTimeout(() => end({ failure: `it is not ready after ${PATIENCE_MS} ms` }), PATIENCE_MS)
process.on('uncaughtException', (error) => end({ failure: printError(error) }))
process.on('unhandledRejection', (error) => end({ failure: printError(error) }))
const script = order.codeCache === undefined ? null : watchScript(order.codeCache)
await run().then(end, (error: unknown) => end({ failure: printError(error) }))

async function run(): Promise<Partial<RunReport>> {
  const exported = await exportsOf(await import(pathToFileURL(order.file).href))
  const form = formOf(exported, seen.length)
  const made = form?.kind === 'factory' ? await makeBy(exported[form.name]) : exported[form?.name ?? '']
  if (form?.kind === 'plugin') await makeAround(exported)
  const handler = fetchOf(exported['default'])
  if (form === null || (seen.length === 0 && handler === null))
    throw new Error(`the file makes no app. ${ADVICE}`)
  putLast(made)
  await start(handler)
  const app = seen.at(-1)
  // Warnings are emitted after what causes them.
  await new Promise((resolve) => setImmediate(resolve))
  const atStart = [...warnings]
  const ranInStart = [...spots]
  spots.clear()
  const overFetch = order.overFetch || app === undefined ? (handler ?? app?.fetch ?? null) : null
  const send = sendTo(overFetch ?? (script === null ? null : await overPort(app)), app)
  // Only a handler leads to several apps.
  const apps = order.overFetch && handler !== null ? seen : seen.slice(-1)
  const planned = order.requests ?? draw(apps)
  const exchanges: RunExchange[] = []
  for (const one of planned) {
    const before = standIns()
    const sent = await send(one.request)
    exchanges.push({ ...one, ...sent, isStandIn: standIns() > before })
  }
  script?.store()
  return {
    form,
    routes: apps
      .flatMap(({ routes }) => routes)
      .map(({ method, url, callSite }) => ({ method, url, callSite })),
    takesSockets: apps.some(({ takesSockets }) => takesSockets),
    exchanges,
    table: tableOf(),
    loaded: loadedPackages(),
    ran: { start: ranInStart, later: [...spots] },
    warnings: atStart,
    idle: seen.filter(({ isReady }) => !isReady).length,
  }
}

/**
 * Starts the apps. In a comparison over `fetch`, the handler starts them, as on a platform. In any other run they start
 * at once, so that their routes and schemas are known.
 */
async function start(handler: ((request: Request) => unknown) | null): Promise<void> {
  const isCompared = handler !== null && order.overFetch && order.requests !== undefined
  if (isCompared || seen.length === 0) await wake(handler)
  if (isCompared) return
  for (const app of seen.slice(0, -1)) await app.ready().catch(() => {})
  await seen.at(-1)?.ready()
}

/** An app behind a handler may be made by its first request, and boots with it, which rejects if that fails. */
async function wake(handler: ((request: Request) => unknown) | null): Promise<void> {
  try {
    // Its route may wait for something that never comes.
    const late = new Promise((resolve) => setTimeout(resolve, WAKE_MS))
    await Promise.race([handler?.(new Request('http://localhost/')), late])
  } catch (error) {
    // The handler may fail itself.
    if (seen.length === 0) throw error
    await seen.at(-1)?.ready()
  }
}

function draw(apps: readonly SeenApp[]): PlannedRequest[] {
  const drawn = apps.flatMap((app) => {
    const methods = new Set(app.routes.map(({ method }) => method))
    return drawRequests(app.routes, methods, (id) => app.getSchema(id))
  })
  return drawn.map(({ route, odd, ...request }, index) => ({
    kind: 'drawn',
    key: `${index} ${request.method} ${request.url} ${odd}`,
    request,
    route: `${route.method} ${route.url}`,
    callSite: route.callSite,
  }))
}

function standIns(): number {
  return seen.reduce((sum, { standIns: count }) => sum + count, 0)
}

/** Sends requests to the port of an app, so that the code of its server is compiled too. */
async function overPort(app: SeenApp | undefined): Promise<((request: Request) => unknown) | null> {
  const address = (await app?.open()) ?? null
  if (address === null) return null
  return (request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new URL(`${pathname}${search}`, address), request)
  }
}

async function makeBy(make: unknown): Promise<unknown> {
  return isFunction(make) ? make() : null
}

/** The last app is the one that is run. A file may make others after the one that it exports. */
function putLast(app: unknown): void {
  const index = seen.findIndex((one) => one.is(app))
  if (index !== -1) seen.push(...seen.splice(index, 1))
}

async function makeAround(exported: Readonly<Record<string, unknown>>): Promise<void> {
  const { cloister } = await import('cloister')
  const app = cloister(objectOf(exported['options']))
  const register: unknown = Reflect.get(app, 'register')
  if (isFunction(register)) register.call(app, exported['default'])
}

function fetchOf(value: unknown): ((request: Request) => unknown) | null {
  const found: unknown = Reflect.get(Object(value), 'fetch')
  // The platform's bindings are not here.
  return isFunction(found) ? (request) => found.call(value, request, {}, { waitUntil: () => {} }) : null
}

/** The functions that a recording bundle has recorded. */
function tableOf(): Table | null {
  const recorder: unknown = Reflect.get(globalThis, Symbol.for('cloister.build.recorder'))
  const print: unknown = Reflect.get(Object(recorder), 'table')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the recorder of the bundle makes it, see record.ts
  return isFunction(print) ? (print.call(recorder) as Table) : null
}

function end(found: Partial<RunReport>): void {
  clearTimeout(timer)
  const nothing: RunReport = {
    form: null,
    routes: [],
    takesSockets: false,
    exchanges: [],
    table: null,
    loaded: [],
    ran: { start: [], later: [] },
    warnings: [],
    idle: 0,
    failure: null,
  }
  writeFileSync(reportFile, JSON.stringify({ ...nothing, ...found }))
  // oxlint-disable-next-line unicorn/no-process-exit -- an app may hold timers and connections that it never ends
  process.exit(0)
}
