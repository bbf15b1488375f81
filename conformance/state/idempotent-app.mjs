// A process of an app with an idempotent route, over a real store. It counts its effects in the store.
import { idempotency, postgresState, redisState } from '@cloister/state'
import { cloister } from 'cloister'
import { Redis } from 'ioredis'
import pg from 'pg'

const [kind, port] = process.argv.slice(2)

function open() {
  if (kind === 'Redis') {
    const redis = new Redis(Number(port))
    return { state: redisState(redis), count: () => redis.incr('effects') }
  }
  const pool = new pg.Pool({ host: '127.0.0.1', port: Number(port), user: 'postgres', max: 8 })
  return { state: postgresState(pool), count: () => pool.query('insert into effects values (1)') }
}

const { state, count } = open()
const app = cloister()
await app.register(idempotency, { state, scope: 'public', holdMs: 1000 })
const body = { type: 'object', required: ['amount'], properties: { amount: { type: 'integer' } } }
app.post('/pay', { schema: { body }, idempotency: true }, async (request) => {
  await count()
  // One that never ends, for a process that is killed.
  if (request.headers['x-hang'] !== undefined) await new Promise(() => {})
  await new Promise((resolve) => {
    setTimeout(resolve, 20)
  })
  return { paid: request.body.amount, pid: process.pid }
})
process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
