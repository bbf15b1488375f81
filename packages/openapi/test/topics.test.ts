// What the documents of an app say of its topics.
import { openApiDocument } from '@cloister/openapi'
import { subscribes } from '@cloister/state/topics'
import { cloister } from 'cloister'
import { expect, it } from 'vitest'
import { topicsApp } from './topics-app.ts'
import { errorsOf } from './validators.ts'

const PRICES = { topic: 'prices/:symbol', parameters: ['symbol'], keep: { count: 10, ms: 60_000 } }
const NEWS = { topic: 'news', parameters: [], keep: { count: 1000, ms: 600_000 } }
const price = { $ref: '#/components/schemas/price' }

it('the document names the topics of each route, and has their schema once', async () => {
  const { app } = await topicsApp()
  const document = openApiDocument(app)
  expect(await errorsOf(document)).toEqual([])
  const { '/prices/{symbol}': prices, '/news': news, '/live': live } = document.paths
  expect(prices).toMatchObject({
    get: {
      'x-subscribes': [PRICES],
      responses: { 200: { content: { 'text/event-stream': { schema: price } } } },
    },
    post: { 'x-publishes': [PRICES], requestBody: { content: { 'application/json': { schema: price } } } },
  })
  expect(news).toMatchObject({ get: { 'x-subscribes': [NEWS] } })
  expect(live).toMatchObject({ get: { 'x-subscribes': [PRICES, NEWS], 'x-publishes': [PRICES] } })
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

it('an event stream of a topic says how clients come back, and what a gap is; lines and sockets do not', async () => {
  const { app } = await topicsApp()
  const { '/prices/{symbol}': prices, '/news': news, '/live': live } = openApiDocument(app).paths
  expect(prices).toMatchObject({
    get: {
      parameters: [{ name: 'symbol' }, { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } }],
      responses: { 200: { description: expect.stringMatching(/^OK\n\n.*`gap`/) } },
    },
  })
  expect(JSON.stringify([news, live])).not.toMatch(/Last-Event-ID|gap/)
})

it('a header that the route describes itself stays', async () => {
  const app = cloister()
  const topic = { toJSON: () => PRICES }
  const headers = { type: 'object', properties: { 'last-event-id': { type: 'string', maxLength: 9 } } }
  const response = { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } } as const
  app.get('/', { schema: { headers, response, ...subscribes(topic) } }, async function* () {})
  await app.ready()
  expect(openApiDocument(app).paths['/']).toMatchObject({
    get: { parameters: [{ name: 'last-event-id', schema: { maxLength: 9 } }] },
  })
})

it('app.explain has the topics of a route', async () => {
  const { app } = await topicsApp()
  expect(app.explain('GET', '/prices/tea')).toMatchObject({ extensions: { 'x-subscribes': [PRICES] } })
  expect(app.explain('POST', '/prices/tea')).toMatchObject({ extensions: { 'x-publishes': [PRICES] } })
})

it.each([[[]], [[undefined]], [['prices']], [[{}]]])('no route subscribes to %j', (given) => {
  expect(() => subscribes(...(given as never[]))).toThrow(/^subscribes\(\) takes topics, .*, not /)
})
