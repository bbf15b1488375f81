import { redisState } from '@cloister/state'
import { Redis } from 'ioredis'
import { createApp } from './app.js'

const redis = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379', { maxRetriesPerRequest: 1 })
redis.on('error', (error) => console.error(`the store: ${error.message}`))
const state = redisState(redis, { prefix: 'chat:' })
const app = await createApp(state)
app.addHook('onClose', async () => {
  await state.close()
  redis.disconnect()
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.(app.server.address())
process.once('SIGTERM', () => void app.close())
