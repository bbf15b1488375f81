import { websocket } from '@cloister/websocket'
import { memoryState } from '@cloister/state'
import { publishes, subscribes, topics } from '@cloister/state/topics'
import { cloister, sse } from 'cloister'

/** An app whose clients get messages of topics as events, lines and in a socket, and publish to one. */
export async function topicsApp() {
  const app = await cloister().register(websocket).register(topics, { state: memoryState() })
  app.addSchema({
    $id: 'price',
    type: 'object',
    required: ['bid'],
    properties: {
      bid: { type: 'number', minimum: 0 },
      pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false },
    },
  })
  // The types of a topic don't know shared schemas.
  const schema: object = { $ref: 'price#' }
  const prices = app.topic('prices/:symbol', { schema, keep: { count: 10, ms: 60_000 } })
  const news = app.topic('news', { schema: { type: 'string', maxLength: 20 } })
  const events = { 200: { content: { 'text/event-stream': { schema: prices.schema } } } } as const
  app.get(
    '/prices/:symbol',
    { schema: { summary: 'Prices', response: events, ...subscribes(prices) } },
    async function* ({ params, lastEventId, signal }) {
      for await (const event of prices.subscribe(params, { after: lastEventId, signal })) yield sse(event)
    },
  )
  app.post(
    '/prices/:symbol',
    { schema: { body: prices.schema, ...publishes(prices) } },
    async ({ params, body }) => {
      await prices.publish(params, body)
      return null
    },
  )
  const lines = { 200: { content: { 'application/x-ndjson': { schema: news.schema } } } } as const
  app.get(
    '/news',
    {
      schema: {
        querystring: { type: 'object', properties: { limit: { type: 'integer' } } },
        response: lines,
        ...subscribes(news),
      },
    },
    async function* ({ query, signal }) {
      let count = 0
      for await (const event of news.subscribe({}, { from: 'oldest', signal })) {
        if (event.event === 'message') yield event.data
        if (++count >= (query.limit ?? 1)) return
      }
    },
  )
  app.ws(
    '/live',
    {
      schema: {
        incoming: prices.schema,
        outgoing: { anyOf: [prices.schema, news.schema] },
        ...subscribes(prices, news),
        ...publishes(prices),
      },
    },
    async (socket) => {
      for await (const message of socket) {
        await prices.publish({ symbol: 'live' }, message)
        await socket.send(message)
      }
    },
  )
  await app.ready()
  return { app, prices, news }
}
