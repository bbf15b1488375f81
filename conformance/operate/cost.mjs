// `npm run test:operate-cost -- [--rounds 7]`: CPU of a server process per request, with the plugin for operation and
// without, in turn; by `wrk` over 16 connections. `bare` is an app with one route, `production` has a logger and three
// hooks beside it.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { operate } from '@cloister/operate'
import { cloister } from 'cloister'
import { isInstalled } from '../proxies/processes.mjs'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, serve: { type: 'string', default: '' } },
})
const PLUGIN = {
  none: null,
  plugin: {},
  limits: { eventLoopDelayMs: 1000, openRequests: 10_000, heapUsedBytes: 4e9 },
}

/** @param {string} kind @param {string} plugin @param {string} transport */
async function serve(kind, plugin, transport) {
  const isProduction = kind === 'production'
  const logger = isProduction ? { stream: createWriteStream('/dev/null') } : false
  const app = cloister({ transport, logger })
  const shedding = PLUGIN[plugin]
  if (shedding !== null) app.register(operate, { shedding })
  if (isProduction) {
    app.addHook('onRequest', async (request) => {
      if (request.headers['x-key'] === 'wrong') throw new Error('wrong key')
    })
    app.addHook('preHandler', (_request, _reply, done) => done())
    app.addHook('onSend', async (_request, reply, payload) => {
      reply.header('x-kind', kind)
      return payload
    })
  }
  const text = { type: 'string' }
  const schema = {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    response: { 200: { type: 'object', properties: { id: { type: 'integer' }, name: text, kind: text } } },
  }
  app.get('/books/:id', { schema }, async (request) => ({
    id: request.params.id,
    name: 'Emma',
    kind: 'novel',
  }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.send({ port: app.addresses()[0].port })
  process.on('message', () => process.send(process.cpuUsage()))
  process.on('disconnect', () => process.exit())
}

/** Returns how many requests a server gets in so many seconds. @param {number} port @param {number} seconds */
async function load(port, seconds) {
  const wrk = spawn('wrk', ['-t1', '-c16', `-d${seconds}s`, `http://127.0.0.1:${port}/books/7`])
  let text = ''
  wrk.stdout.on('data', (chunk) => (text += chunk))
  await once(wrk, 'close')
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text)
  return Number(/(\d+) requests in/.exec(text)?.[1])
}

/** One round of a server. @param {{ child: import('node:child_process').ChildProcess, port: number, costs: number[] }} server */
async function measure({ child, port, costs }) {
  const before = await cpuOf(child)
  const count = await load(port, 2)
  costs.push(((await cpuOf(child)) - before) / count)
}

/** @param {import('node:child_process').ChildProcess} child */
async function cpuOf(child) {
  child.send('cpu')
  const [{ user, system }] = await once(child, 'message')
  return user + system
}

/** Returns the row of an app. @param {string} kind @param {string} transport */
async function compare(kind, transport) {
  const servers = []
  for (const plugin of Object.keys(PLUGIN)) {
    const child = fork(import.meta.filename, ['--serve', `${kind},${plugin},${transport}`])
    const [{ port }] = await once(child, 'message')
    await load(port, 2)
    servers.push({ child, port, costs: [] })
  }
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const server of servers) await measure(server)
  }
  for (const { child } of servers) child.disconnect()
  const cells = servers.map(({ costs }) => {
    const sorted = costs.toSorted((one, other) => one - other)
    return `${sorted[sorted.length >> 1].toFixed(1)} (${sorted[0].toFixed(1)})`
  })
  return `| ${[kind, transport, ...cells].join(' | ')} |`
}

if (values.serve === '') {
  if (!isInstalled('wrk')) throw new Error('install wrk first')
  console.log(
    `load average ${loadavg()[0].toFixed(1)}, Node ${process.versions.node}; µs per request, median (least)\n`,
  )
  console.log('| app | transport | without | with the plugin | with three limits |')
  console.log('|---|---|---|---|---|')
  for (const kind of ['bare', 'production']) {
    for (const transport of ['auto', 'node']) console.log(await compare(kind, transport))
  }
  console.log(`\nload average ${loadavg()[0].toFixed(1)}`)
} else {
  await serve(...values.serve.split(','))
}
