// A process of the app of `soak.mjs`: topics, idempotent routes, limits and sessions over one store.
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import session from '@fastify/session'
import { idempotency, postgresState, rateLimitStore, redisState, sessionStore } from '@cloister/state'
import { topics } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'
import { Redis } from 'ioredis'
import { Pool } from 'pg'

const [kind] = process.argv.slice(2)
const [port, storePort, effectsPort, holdMs] = process.argv.slice(3).map(Number)
function openState() {
  if (kind === 'postgres') {
    const pool = new Pool({ host: '127.0.0.1', port: storePort, user: 'postgres', max: 8 })
    pool.on('error', () => {})
    return postgresState(pool)
  }
  const client = new Redis(storePort, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 100,
  })
  client.on('error', () => {})
  return redisState(client)
}
const state = openState()
// What requests do is counted where nothing fails.
const effects = new Redis(effectsPort)
const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const order = { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } }
const caller = (request) => String(request.headers['x-caller'])

const app = cloister()
await app.register(topics, { state, keep: { count: 1_000_000, ms: 86_400_000 } })
await app.register(idempotency, { state, scope: caller, holdMs })
await app.register(cookie)
await app.register(session, {
  secret: 'x'.repeat(40),
  store: sessionStore(state),
  cookie: { secure: false },
  saveUninitialized: false,
})
await app.register(rateLimit, { global: false, store: rateLimitStore(state) })

const numbers = app.topic('numbers/:key', { schema: item })
app.post('/topic/:key', { schema: { body: item } }, async ({ params, body }) => ({
  id: await numbers.publish(params, body),
}))
const response = { 200: { content: { 'text/event-stream': { schema: item } } } }
app.get('/topic/:key', { schema: { response } }, async function* ({ params, lastEventId, signal }) {
  const options = { after: lastEventId, signal, from: lastEventId === undefined ? 'oldest' : 'now' }
  for await (const event of numbers.subscribe(params, options)) yield sse(event)
})
app.post('/orders', { schema: { body: order }, idempotency: { required: true } }, async (request) => {
  const key = String(request.headers['idempotency-key'])
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
  const text = JSON.stringify({ caller: caller(request), key, amount: request.body.amount, pid: process.pid })
  // The number of the effect tells whose response a client gets.
  const effect = await effects.rpush('effects', text)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
  return { effect, caller: caller(request), amount: request.body.amount }
})
app.get('/limited', {
  config: { rateLimit: { max: 20, timeWindow: 10_000, keyGenerator: caller } },
  handler: () => 'allowed',
})
app.post('/session', async (request) => {
  request.session.set('user', caller(request))
  await request.session.save()
  return 'in'
})
app.get('/session', async (request) => ({ user: request.session.get('user') ?? null }))

process.once('SIGTERM', () => void app.close().then(() => process.exit()))
await app.listen({ port, host: '127.0.0.1' })
process.send?.('listens')
