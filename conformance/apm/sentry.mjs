// `node sentry.mjs TRANSPORT`: errors of an app in Sentry, as the recipe has it. Prints the events of three requests that
// run side by side.
import { setTimeout as sleep } from 'node:timers/promises'
import * as Sentry from '@sentry/node'
import { cloister } from 'cloister'

const transport = process.argv[2] === 'node' ? 'node' : 'auto'
/** @type {{ order: unknown, request: unknown, transaction: unknown, message: unknown }[]} */
const events = []

Sentry.init({
  dsn: 'http://key@127.0.0.1:9/1',
  // Its integrations for `node:http` and Fastify look for spans; errors need neither, and requests stay with the engine.
  integrations: (defaults) => defaults.filter(({ name }) => name !== 'Http' && name !== 'Fastify'),
  transport: () => ({
    async send([, items]) {
      for (const [{ type }, payload] of items) {
        if (type !== 'event') continue
        const { tags, transaction, exception } = payload
        const message = exception.values[0].value
        events.push({ order: tags.order, request: tags.request_id, transaction, message })
      }
      return {}
    },
    flush: async () => true,
  }),
})

const app = cloister({ transport })
// A scope for each request: tags that a handler sets are on its own events alone.
app.addHook('onRequest', (request, _reply, done) => {
  Sentry.withIsolationScope((scope) => {
    scope.setTag('request_id', request.id)
    scope.setTransactionName(`${request.method} ${request.routeOptions.url}`)
    done()
  })
})
app.addHook('onError', async (_request, _reply, error) => {
  if ((error.statusCode ?? 500) >= 500) Sentry.captureException(error)
})
app.get('/orders/:id', async (request) => {
  Sentry.setTag('order', request.params.id)
  await sleep(20)
  throw new Error(`no order ${request.params.id}`)
})
app.get('/refused', async () => {
  throw Object.assign(new Error('not yours'), { statusCode: 403 })
})

const origin = await app.listen({ port: 0 })
await Promise.all(
  ['/orders/1', '/orders/2', '/refused'].map(async (path) => (await fetch(origin + path)).text()),
)
await app.close()
await Sentry.close()
console.log(JSON.stringify({ events, name: app.transport.name }))
