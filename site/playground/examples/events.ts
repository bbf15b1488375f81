import { cloister, sse } from 'cloister'

const app = cloister({ strict: true })
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const tick = {
  type: 'object',
  properties: { count: { type: 'integer' } },
  required: ['count'],
} as const
const response = { 200: { content: { 'text/event-stream': { schema: tick } } } } as const

// Each value that the generator yields is held to the schema and sent as one event.
// Choose Cancel: the generator ends.
app.get('/ticks', { schema: { response } }, async function* () {
  for (let count = 1; count <= 8; count++) {
    yield sse({ data: { count }, event: 'tick', id: count })
    await sleep(400)
  }
})

export default app
