// `npm run test:shedding -- [--seconds 10]`: an app whose requests cost 5 ms of CPU each gets first as many as fit, then
// three times as many, in an open loop. Prints the latency of `/live` beside it, with limits and without.
import { fork } from 'node:child_process'
import { pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { operate } from '@cloister/operate'
import { cloister } from 'cloister'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '10' }, serve: { type: 'string', default: '' } },
})
const COST_MS = 5

/** @param {boolean} hasLimits @param {string} transport */
async function serve(hasLimits, transport) {
  const app = cloister({ transport, strict: true })
  app.register(operate, hasLimits ? { shedding: { eventLoopDelayMs: 30, openRequests: 200 } } : {})
  const rounds = roundsOf(COST_MS)
  app.get('/work', async () => {
    pbkdf2Sync('password', 'salt', rounds, 32, 'sha256')
    return { done: true }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  process.send({ port: app.addresses()[0].port })
  process.on('disconnect', () => process.exit())
}

/** How many rounds of a hash cost so much CPU here. @param {number} ms */
function roundsOf(ms) {
  const start = process.cpuUsage()
  pbkdf2Sync('password', 'salt', 100_000, 32, 'sha256')
  const { user, system } = process.cpuUsage(start)
  return Math.round((100_000 * ms * 1000) / (user + system))
}

/** @param {number} port @param {string} path @param {Agent} agent */
function ask(port, path, agent) {
  const start = performance.now()
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent, timeout: 20_000 }, (response) => {
      response
        .resume()
        .on('close', () => resolve({ status: response.statusCode, ms: performance.now() - start }))
    })
    request
      .on('timeout', () => request.destroy())
      .on('error', () => resolve({ status: 0, ms: performance.now() - start }))
  })
}

/** @param {readonly number[]} sorted @param {number} share */
const percentile = (sorted, share) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)

/** Sends at a fixed rate, whatever comes back. @param {number} port @param {number} rate @param {number} seconds */
async function load(port, rate, seconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1000 })
  const probes = new Agent({ keepAlive: true, maxSockets: 4 })
  const work = []
  const live = []
  const start = performance.now()
  let nextWork = 0
  let nextLive = 0
  while (performance.now() - start < seconds * 1000) {
    const elapsed = (performance.now() - start) / 1000
    for (; nextWork < elapsed * rate; nextWork++) work.push(ask(port, '/work', agent))
    for (; nextLive < elapsed * 20; nextLive++) live.push(ask(port, '/live', probes))
    await sleep(2)
  }
  const done = await Promise.all(work)
  const latencies = (await Promise.all(live)).map(({ ms }) => ms).toSorted((one, other) => one - other)
  agent.destroy()
  probes.destroy()
  return { done, latencies }
}

/** How many requests per second one process can do, one after the other. @param {number} port */
async function capacityOf(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const start = performance.now()
  let count = 0
  const lane = async () => {
    while (performance.now() - start < 3000) {
      await ask(port, '/work', agent)
      count++
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  agent.destroy()
  return count / 3
}

if (values.serve !== '') {
  const [kind, transport] = values.serve.split(',')
  await serve(kind === 'limits', transport)
} else {
  console.log(
    '| transport | limits | load | sent per second | 200 | 503 | failed | `/live` p50 | p99 | most |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const transport of ['node', 'auto']) {
    for (const kind of ['limits', 'none']) {
      const child = fork(import.meta.filename, ['--serve', `${kind},${transport}`])
      const [{ port }] = await once(child, 'message')
      const fits = (await capacityOf(port)) * 0.9
      for (const times of [1, 3]) {
        const { done, latencies } = await load(port, fits * times, Number(values.seconds))
        const of = (status) => done.filter((one) => one.status === status).length
        const failed = done.length - of(200) - of(503)
        const row = [transport, kind, `${times} ×`, Math.round(fits * times), of(200), of(503), failed]
        const times3 = [0.5, 0.99, 1].map((share) => `${percentile(latencies, share)} ms`)
        console.log(`| ${[...row, ...times3].join(' | ')} |`)
        await sleep(500)
      }
      child.disconnect()
      await once(child, 'exit')
    }
  }
}
