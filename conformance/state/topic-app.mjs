// A process of an app with a topic, over a real store.
import { postgresState, redisState } from '@cloister/state'
import { topics } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'
import { Redis } from 'ioredis'
import pg from 'pg'

const [kind, port] = process.argv.slice(2)
const state =
  kind === 'Redis'
    ? redisState(new Redis(Number(port)))
    : postgresState(new pg.Pool({ host: '127.0.0.1', port: Number(port), user: 'postgres', max: 8 }))

const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const app = await cloister().register(topics, { state, keep: { count: 100_000, ms: 600_000 } })
const numbers = app.topic('numbers/:key', { schema: item })
app.post('/:key', { schema: { body: item } }, async ({ params, body }) => ({
  id: await numbers.publish(params, body),
}))
const response = { 200: { content: { 'text/event-stream': { schema: item } } } }
app.get('/:key', { schema: { response } }, async function* ({ params, lastEventId, signal }) {
  for await (const event of numbers.subscribe(params, { after: lastEventId, signal })) yield sse(event)
})
process.send?.(await app.listen({ port: 0, host: '127.0.0.1' }))
process.once('SIGTERM', () => void app.close().then(() => process.exit()))
