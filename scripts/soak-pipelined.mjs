// `npm run soak:pipelined -- --requests 10000000`: sends this many requests over few connections of the engine of
// `@cloister/wire`, many of them in the same bytes. Each response must match its request. Prints the heap of the
// server after forced garbage collections.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import path from 'node:path'
import { parseArgs } from 'node:util'

/** @typedef {import('./lib/soak-server.mjs').Figures} Figures */

const CONNECTIONS = 8
const AT_ONCE = 64
/** All numbers have the same number of digits. */
const FIRST = 10_000_000
const ROUNDS = 10
const { values } = parseArgs({ options: { requests: { type: 'string', default: '10000000' } } })

/**
 * Sends requests with growing numbers, which the response must contain.
 *
 * @param {number} port
 * @param {number} count
 * @returns {Promise<void>}
 */
async function pipeline(port, count) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let sent = 0
  let received = 0
  let text = ''
  const send = () => {
    let requests = ''
    for (const until = Math.min(count, sent + AT_ONCE); sent < until; sent++)
      requests += `GET /users/${FIRST + sent} HTTP/1.1\r\nHost: soak\r\n\r\n`
    socket.write(requests)
  }
  await new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`the connection was closed after ${received} responses`)))
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      let at = 0
      for (;;) {
        const end = text.indexOf('}', at)
        if (end === -1) break
        const isRight =
          text.startsWith('HTTP/1.1 200 OK\r\n', at) &&
          text.endsWith(`\r\n\r\n{"id":${FIRST + received}`, end)
        if (!isRight) return reject(new Error(`response ${received}: ${text.slice(at, end)}`))
        at = end + 1
        received++
      }
      text = text.slice(at)
      if (received === count) resolve(undefined)
      else if (received === sent) send()
    })
    send()
  })
  socket.removeAllListeners('close')
  socket.destroy()
}

const server = fork(path.join(import.meta.dirname, 'lib/soak-server.mjs'), ['auto'], {
  execArgv: ['--expose-gc'],
})
/** @param {string} message */
async function ask(message) {
  const response = once(server, 'message')
  server.send(message)
  return (await response)[0]
}
async function print() {
  /** @type {Figures} */
  const figures = await ask('figures')
  const { handled, heap, rss, handles } = figures
  console.log(`${handled} handled: heap ${heap.toFixed(2)} MB, RSS ${rss.toFixed(1)} MB, handles ${handles}`)
  return figures
}

/** @param {number} port @param {number} requests */
const run = (port, requests) =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => pipeline(port, Math.ceil(requests / CONNECTIONS))))

const [{ port }] = await once(server, 'message')
await run(port, 100_000)
const beganAt = performance.now()
try {
  const before = await print()
  let after = before
  for (let round = 0; round < ROUNDS; round++) {
    await run(port, Number(values.requests) / ROUNDS)
    after = await print()
  }
  const { handled, completed, aborted } = after
  const seconds = Math.round((performance.now() - beganAt) / 1000)
  console.log(`${handled - before.handled} in ${seconds} s, ${handled - completed - aborted} without an end`)
  if (handled !== completed + aborted) process.exitCode = 1
} finally {
  await ask('close')
}
