// `npm run soak -- --seconds 60`: mixed traffic against one app over a real socket, for a bounded time. Prints heap,
// memory, handles and how long the event loop was blocked, and compares what was sent with what the app has seen.
import { createRequire } from 'node:module'
import { once } from 'node:events'
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, lanes: { type: 'string', default: '8' } },
})
/** @type {typeof import('cloister')} */
const { cloister } = createRequire(import.meta.url)('cloister')

/**
 * What a client does beside sending: it leaves, or begins to read later.
 *
 * @typedef {{ leaveAfterMs?: number, readAfterMs?: number }} Manner
 *
 * @typedef {{ chunks: (string | Buffer)[], manner?: Manner, isRight: (text: string) => boolean }} Kind
 */

const BIG = 'x'.repeat(2_000_000)
const UPLOAD = Buffer.alloc(500_000, 'u')
/** @type {Map<string, { sent: number, wrong: number, faults: Set<string> }>} */
const counts = new Map()
const handled = { total: 0, aborted: 0, completed: 0 }

function createApp() {
  const app = cloister({ writeTimeout: 2000, handlerTimeout: 10_000 })
  app.addHook('onRequest', async () => void handled.total++)
  app.addHook('onResponse', async () => void handled.completed++)
  app.addHook('onRequestAbort', async () => void handled.aborted++)
  const params = { type: 'object', properties: { id: { type: 'integer' } } }
  app.get('/users/:id', { schema: { params } }, ({ params }) => params)
  app.get('/big', () => BIG)
  app.get('/slow', () => sleep(200, 'slow'))
  app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b', 'c'])))
  app.post('/upload', ({ body }) => ({ length: Buffer.isBuffer(body) ? body.length : 0 }))
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  return app
}

/**
 * Sends bytes over a connection of their own and gives what came back.
 *
 * @param {number} port
 * @param {Kind} kind
 */
async function send(port, { chunks, manner: { leaveAfterMs, readAfterMs } = {} }) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  for (const chunk of chunks) socket.write(chunk)
  if (leaveAfterMs !== undefined) {
    await sleep(leaveAfterMs)
    socket.resetAndDestroy()
    return text
  }
  if (readAfterMs !== undefined) await sleep(readAfterMs)
  socket.on('data', (chunk) => (text += chunk.toString('latin1')))
  await once(socket, 'close')
  return text
}

/** @param {string} path */
const get = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
const post = `POST /upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/octet-stream\r\nContent-Length: ${UPLOAD.length}\r\n\r\n`
const upgrade = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n'

/**
 * Each kind of traffic with the check of its answer.
 *
 * @type {Readonly<Record<string, Kind>>}
 */
const KINDS = {
  read: { chunks: [get('/users/7')], isRight: (text) => text.endsWith('{"id":7}') },
  invalid: { chunks: [get('/users/x')], isRight: (text) => text.startsWith('HTTP/1.1 400') },
  malformed: { chunks: ['NOT HTTP\r\n\r\n'], isRight: (text) => text.startsWith('HTTP/1.1 400') },
  streamed: { chunks: [get('/stream')], isRight: (text) => text.endsWith('0\r\n\r\n') },
  upload: { chunks: [post, UPLOAD], isRight: (text) => text.endsWith(`{"length":${UPLOAD.length}}`) },
  'left in a body': {
    chunks: [post, UPLOAD.subarray(0, 1000)],
    manner: { leaveAfterMs: 5 },
    isRight: () => true,
  },
  'left before the answer': { chunks: [get('/slow')], manner: { leaveAfterMs: 5 }, isRight: () => true },
  'slow reader': {
    chunks: [get('/big')],
    manner: { readAfterMs: 300 },
    isRight: (text) => text.length > BIG.length,
  },
  'reader that stalls': {
    chunks: [get('/big').repeat(3)],
    manner: { leaveAfterMs: 500 },
    isRight: () => true,
  },
  upgraded: { chunks: [upgrade, 'ping'], manner: { leaveAfterMs: 50 }, isRight: () => true },
}

function memory() {
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  return { heap: heapUsed / 1e6, rss: rss / 1e6, handles }
}

/**
 * Sends one request after the other until the time is over.
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
    const text = await send(port, kind)
    if (kind.isRight(text)) continue
    count.wrong++
    count.faults.add(text.slice(0, 60))
  }
}

/**
 * @param {string} label
 * @param {ReturnType<typeof memory>} figures
 */
function print(label, { heap, rss, handles }) {
  console.log(`${label}: heap ${heap.toFixed(1)} MB, RSS ${rss.toFixed(1)} MB, handles ${handles}`)
}

const app = createApp()
await app.ready()
app.server.on('upgrade', (_request, socket) => {
  socket.on('error', () => {})
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n')
  socket.pipe(socket)
})
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
if (address === null || typeof address === 'string') throw new Error('the app listens on no port')
const { port } = address
await runLane(port, performance.now() + 2000)
counts.clear()
const before = memory()
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
const until = performance.now() + Number(values.seconds) * 1000
await Promise.all(Array.from({ length: Number(values.lanes) }, () => runLane(port, until)))
delay.disable()
await sleep(3000)
const open = await new Promise((resolve) => {
  app.server.getConnections((_error, count) => resolve(count))
})
const after = memory()
const closingAt = performance.now()
await app.close()

for (const [name, { sent, wrong, faults }] of counts) {
  console.log(`${name}: ${sent} sent, ${wrong} wrong${wrong > 0 ? ` ${JSON.stringify([...faults])}` : ''}`)
}
console.log(
  `handled ${handled.total}, completed ${handled.completed}, left by their clients ${handled.aborted}`,
)
print('before', before)
print('after', after)
console.log(
  `event loop: mean ${(delay.mean / 1e6).toFixed(1)} ms, longest ${(delay.max / 1e6).toFixed(0)} ms`,
)
console.log(`connections left: ${open}; close took ${((performance.now() - closingAt) / 1000).toFixed(2)} s`)
const wrong = [...counts.values()].reduce((sum, count) => sum + count.wrong, 0)
const unsettled = handled.total - handled.completed - handled.aborted
console.log(`${wrong} wrong answers, ${unsettled} requests without an end`)
process.exitCode = wrong === 0 && unsettled === 0 && open === 0 ? 0 : 1
