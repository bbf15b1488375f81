import { cloister } from 'cloister'

const app = cloister({ strict: true })
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

app.get('/ticks', { schema: { response: { 200: {} } } }, (request, reply) => {
  const events = new ReadableStream<Uint8Array>({
    async start(stream) {
      const encoder = new TextEncoder()
      for (let count = 1; count <= 5 && !request.signal.aborted; count++) {
        stream.enqueue(encoder.encode(`event: tick\ndata: ${JSON.stringify({ count })}\n\n`))
        await sleep(400)
      }
      stream.close()
    },
  })
  return reply.type('text/event-stream').send(events)
})

export default app
