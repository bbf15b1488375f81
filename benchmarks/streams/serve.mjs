// A server with one stream or socket per connection, each of which sends a message when the parent says so.
import { createRequire } from 'node:module'
const [, , subject, peers] = process.argv
const local = createRequire(`${peers}/package.json`)
const own = createRequire(import.meta.url)
const waiting = []
const next = () => new Promise((resolve) => waiting.push(resolve))
let round = 0
const message = () => ({
  n: round,
  text: 'a message of some length, as a chat has them',
  at: 1_700_000_000_000,
})
const schema = {
  type: 'object',
  required: ['n', 'text', 'at'],
  properties: { n: { type: 'integer' }, text: { type: 'string' }, at: { type: 'integer' } },
}

const SUBJECTS = {
  async 'events, Cloister'() {
    return events('auto')
  },
  async 'events, Cloister on node:http'() {
    return events('node')
  },
  async 'events, Hono streamSSE'() {
    const { Hono } = local('hono')
    const { streamSSE } = local('hono/streaming')
    const { serve } = local('@hono/node-server')
    const app = new Hono()
    app.get('/', (c) =>
      streamSSE(c, async (stream) => {
        while (!stream.aborted) {
          await next()
          await stream.writeSSE({ data: JSON.stringify(message()) })
        }
      }),
    )
    return new Promise((resolve) =>
      serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)),
    )
  },
  async 'sockets, Cloister'() {
    const { cloister } = own('cloister')
    const app = await cloister().register(own('@cloister/websocket').websocket)
    app.ws('/', { schema: { incoming: schema, outgoing: schema } }, async (socket) => {
      while (!socket.signal.aborted) {
        await next()
        await socket.send(message())
      }
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server.address().port
  },
  async 'sockets, @fastify/websocket'() {
    const app = local('fastify')()
    await app.register(local('@fastify/websocket'))
    app.get('/', { websocket: true }, async (socket) => {
      let isOpen = true
      socket.on('close', () => {
        isOpen = false
      })
      while (isOpen) {
        await next()
        socket.send(JSON.stringify(message()))
      }
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return app.server.address().port
  },
}

async function events(transport) {
  const { cloister } = own('cloister')
  const app = cloister({ transport })
  app.get(
    '/',
    { schema: { response: { 200: { content: { 'text/event-stream': { schema } } } } } },
    async function* () {
      for (;;) {
        await next()
        yield message()
      }
    },
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function whenAllWait(count) {
  while (waiting.length < count) await pause(1)
}
async function memory() {
  for (let i = 0; i < 4; i++) {
    globalThis.gc()
    await pause(50)
  }
  const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage()
  return { heapUsed, external: external + arrayBuffers, rss }
}
async function rounds(count, times) {
  await whenAllWait(count)
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) {
    round += 1
    for (const wake of waiting.splice(0)) wake()
    await whenAllWait(count)
  }
  const { user, system } = process.cpuUsage(before)
  return { user: user / count / times, system: system / count / times }
}

process.on('message', ([what, ...args]) => {
  void { memory, rounds, whenAllWait }[what](...args).then((result) => process.send(result ?? null))
})
process.send(await SUBJECTS[subject]())
