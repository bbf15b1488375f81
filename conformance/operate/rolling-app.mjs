// One process of the app that is restarted: `rolling-app.mjs TRANSPORT PORT DRAIN_MS [bare]`. Sends its port when it serves.
import { operate } from '@cloister/operate'
import { cloister } from 'cloister'

const [, , transport = 'auto', port = '0', drainMs = '1000', kind = ''] = process.argv
const app = cloister({ transport, strict: true, trustProxy: 'loopback', closeGraceMs: 5000 })
const isBare = kind === 'bare'
if (isBare) {
  process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
  app.get('/ready', () => ({ status: 'ready' }))
} else app.register(operate, { drainMs: Number(drainMs), checks: { database: () => true } })

const order = {
  type: 'object',
  required: ['token'],
  properties: { token: { type: 'string' }, amount: { type: 'integer' } },
}
app.get('/orders/:token', { schema: { response: { 200: order } } }, async (request) => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  return { token: request.params.token, amount: 7 }
})
app.post('/orders', { schema: { body: order, response: { 201: order } } }, async (request, reply) => {
  reply.code(201)
  return request.body
})
await app.listen({ port: Number(port), host: '127.0.0.1' })
process.send?.({ port: app.addresses()[0].port })
process.on('disconnect', () => process.exit(1))
