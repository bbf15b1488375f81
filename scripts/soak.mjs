// `npm run soak -- --seconds 60 --transport auto`: sends mixed traffic to one app over real sockets, for a limited
// time. Prints heap, memory, handles and how long the event loop of the server was blocked, and compares what was
// sent with what the app has received.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { KINDS } from './lib/soak-traffic.mjs'

/** @typedef {import('./lib/soak-server.mjs').Figures} Figures */

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    lanes: { type: 'string', default: '8' },
    transport: { type: 'string', default: 'node' },
  },
})
/** @type {Map<string, { sent: number, wrong: number, faults: Set<string> }>} */
const counts = new Map()

/**
 * Sends one request after another until the time is over.
 *
 * @param {number} port
 * @param {number} until
 */
async function runLane(port, until) {
  const kinds = Object.entries(KINDS)
  while (performance.now() < until) {
    const [name, kind] = kinds[Math.floor(Math.random() * kinds.length)] ?? []
    if (name === undefined || kind === undefined) return
    const count = counts.get(name) ?? { sent: 0, wrong: 0, faults: new Set() }
    counts.set(name, count)
    count.sent++
    const fault = await kind(port)
    if (fault === undefined) continue
    count.wrong++
    count.faults.add(fault)
  }
}

const server = fork(path.join(import.meta.dirname, 'lib/soak-server.mjs'), [values.transport], {
  execArgv: ['--expose-gc'],
})

/** Sends a message to the server and returns its reply. @param {string} message */
async function ask(message) {
  const response = once(server, 'message')
  server.send(message)
  return (await response)[0]
}

/** @param {string} label @param {Figures} figures */
function print(label, { heap, rss, handles }) {
  console.log(`${label}: heap ${heap.toFixed(1)} MB, RSS ${rss.toFixed(1)} MB, handles ${handles}`)
}

const [{ port }] = await once(server, 'message')
await runLane(port, performance.now() + 2000)
counts.clear()
/** @type {Figures} */
const before = await ask('figures')
const until = performance.now() + Number(values.seconds) * 1000
await Promise.all(Array.from({ length: Number(values.lanes) }, () => runLane(port, until)))
await sleep(3000)
/** @type {Figures} */
const after = await ask('figures')
const { closedAfterMs } = await ask('close')

for (const [name, { sent, wrong, faults }] of counts) {
  console.log(`${name}: ${sent} sent, ${wrong} wrong${wrong > 0 ? ` ${JSON.stringify([...faults])}` : ''}`)
}
const { handled, completed, aborted, connections, blockedMeanMs, blockedMostMs } = after
console.log(`handled ${handled}, completed ${completed}, left by their clients ${aborted}`)
print('before', before)
print('after', after)
console.log(`event loop: mean ${blockedMeanMs.toFixed(1)} ms, longest ${blockedMostMs.toFixed(0)} ms`)
console.log(`connections left: ${connections}; close took ${(closedAfterMs / 1000).toFixed(2)} s`)
const sent = [...counts.values()].reduce((sum, count) => sum + count.sent, 0)
const wrong = [...counts.values()].reduce((sum, count) => sum + count.wrong, 0)
const unsettled = handled - completed - aborted
console.log(`${sent} sent, ${wrong} wrong responses, ${unsettled} requests without an end`)
process.exitCode = wrong === 0 && unsettled === 0 && connections === 0 ? 0 : 1
