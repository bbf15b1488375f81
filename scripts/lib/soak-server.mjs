// The app of `npm run soak`, in a separate process: memory and blocked time are those of the server alone.
import { createRequire } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {object} Figures what the server reports after a garbage collection
 * @property {number} heap in MB
 * @property {number} rss in MB
 * @property {number} handles
 * @property {number} connections
 * @property {number} blockedMeanMs since the previous figures
 * @property {number} blockedMostMs
 * @property {number} handled
 * @property {number} completed
 * @property {number} aborted
 */

const BIG = 'x'.repeat(2_000_000)
/** @type {typeof import('cloister')} */
const { cloister } = createRequire(import.meta.url)('cloister')
const websocket = createRequire(new URL('../../conformance/plugins/package.json', import.meta.url))(
  '@fastify/websocket',
)

/**
 * @typedef {import('node:events').EventEmitter & { send: (text: string) => void }} Socket
 *
 * @typedef {{ get(path: string, options: object, handler: (socket: Socket) => void): unknown }} WithWebSockets an
 * instance with the plugin
 */
const requests = { handled: 0, aborted: 0, completed: 0 }

const transport = process.argv[2] === 'auto' ? 'auto' : 'node'
const app = cloister({ transport, writeTimeout: 2000, handlerTimeout: 10_000 })
app.addHook('onRequest', async () => void requests.handled++)
app.addHook('onResponse', async () => void requests.completed++)
app.addHook('onRequestAbort', async () => void requests.aborted++)
app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
await app.register(websocket)
app.register(async (instance) => {
  const params = { type: 'object', properties: { id: { type: 'integer' } } }
  instance.get('/users/:id', { schema: { params } }, ({ params }) => params)
  instance.get('/big', () => BIG)
  instance.get('/slow', () => sleep(200, 'slow'))
  instance.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b', 'c'])))
  instance.post('/upload', ({ body }) => ({ length: Buffer.isBuffer(body) ? body.length : 0 }))
  /** @type {WithWebSockets} */
  const withWebSockets = instance
  withWebSockets.get('/echo', { websocket: true }, (socket) => {
    socket.on('message', (message) => socket.send(String(message)))
  })
})
await app.listen({ port: 0, host: '127.0.0.1' })

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

/** @returns {Promise<Figures>} */
async function figures() {
  const blockedMeanMs = delay.mean / 1e6
  const blockedMostMs = delay.max / 1e6
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const connections = await new Promise((resolve) => {
    app.server.getConnections((_error, count) => resolve(count))
  })
  const handles = process.getActiveResourcesInfo().length
  delay.reset()
  return {
    heap: heapUsed / 1e6,
    rss: rss / 1e6,
    handles,
    connections,
    blockedMeanMs,
    blockedMostMs,
    ...requests,
  }
}

async function close() {
  const closingAt = performance.now()
  await app.close()
  process.send?.({ closedAfterMs: performance.now() - closingAt })
  process.disconnect()
}

process.on('message', (message) => {
  if (message === 'close') void close()
  else void figures().then((response) => process.send?.(response))
})
const address = app.server.address()
process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
