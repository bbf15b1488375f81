import { createRequire } from 'node:module'

import { client } from '@cloister/client'
import type { Client, ClientArguments, Events, Items, ReadsInt64, Send, SocketClass } from '@cloister/client'
import { exactIntegers, IntegerError } from '@cloister/client/integers'
import type { IntegerTable } from '@cloister/client/integers'
import { queryOptions } from '@cloister/client/query'
import { websocket } from '@cloister/websocket'
import { QueryClient } from '@tanstack/query-core'
import { cloister } from 'cloister'
import type { CloisterInstance } from 'cloister'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const { WebSocket }: { readonly WebSocket: SocketClass } = createRequire(import.meta.url)('ws')

const BIG = 9007199254740993n
const MIN_INT64 = -(2n ** 63n)
const id = { type: 'integer', format: 'int64' } as const
const LINES = 'application/x-ndjson'
const order = {
  type: 'object',
  required: ['id'],
  properties: { id, ids: { type: 'array', items: id }, n: { type: 'number' }, text: { type: 'string' } },
  additionalProperties: false,
} as const

interface Order {
  id: bigint
  ids?: bigint[]
  n?: number
  text?: string
}

interface Api extends ReadsInt64 {
  'POST /orders': { body: Order; replies: { 200: Order } }
  'GET /orders/:id': { params: { id: bigint }; query?: { ids?: bigint[] }; replies: { 200: Order } }
  'POST /forms': { content: { type: string; body: Order }; replies: { 200: Order } }
  'POST /lines': {
    content: { type: typeof LINES; body: Order[] | AsyncIterable<Order> }
    replies: { 200: Items<Order> }
  }
  'GET /events': { replies: { 200: Events<Order> } }
  'GET /chat': { messages: { incoming: Order; outgoing: Order }; replies: {} }
  'GET /other': { replies: { 200: { n: number } } }
}

const table: IntegerTable = {
  routes: {
    'POST /orders': { 200: 0 },
    'GET /orders/:id': { '2xx': 0 },
    'POST /forms': { default: 0 },
    'POST /lines': { 200: 0 },
    'GET /events': { 200: 0 },
    'GET /chat': { outgoing: 0 },
  },
  places: [{ properties: { id: 1, ids: 2 } }, { int64: true }, { items: 1 }],
}

const integers = exactIntegers(table)

async function* each<T>(...items: T[]): AsyncGenerator<T> {
  yield* items
}

async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

function createApp(transport: 'node' | 'auto'): CloisterInstance {
  const app = cloister({ integers: 'bigint', transport })
  const replies = { response: { 200: order } }
  const orders = {
    type: 'object',
    required: ['id'],
    properties: { id },
    additionalProperties: false,
  } as const
  app.post('/orders', { schema: { body: order, ...replies } }, ({ body }) => body)
  const query = { type: 'object', properties: { ids: { type: 'array', items: id } } } as const
  app.get('/orders/:id', { schema: { params: orders, querystring: query, ...replies } }, (request) => ({
    id: request.params.id,
    ids: request.query.ids ?? [],
  }))
  const forms = {
    'application/x-www-form-urlencoded': { schema: order },
    'multipart/form-data': { schema: order },
  }
  app.post('/forms', { schema: { body: { content: forms }, ...replies } }, ({ body }) => ({ ...body }))
  const lines = { content: { [LINES]: { schema: order } } }
  app.post('/lines', { schema: { body: lines, response: { 200: lines } } }, async (request, reply) => {
    const all = await readAll(request.body as AsyncIterable<Order>)
    reply.type(LINES)
    return each(...all) as never
  })
  app.get(
    '/events',
    { schema: { response: { 200: { content: { 'text/event-stream': { schema: order } } } } } },
    () => each({ id: BIG }, { id: 1n }) as never,
  )
  app.register(websocket).register(async (live) => {
    live.ws('/chat', { schema: { incoming: order, outgoing: order } }, async (socket) => {
      for await (const one of socket) await socket.send(one)
    })
  })
  app.get('/other', (_request, other) => other.type('application/json').send(`{"n":${BIG}}`))
  return app
}

const ORDERS: readonly Order[] = [
  { id: BIG, ids: [1n, MIN_INT64, 2n ** 63n - 1n], n: 1.5, text: '9007199254740993 "{[,' },
  { id: 5n },
  { id: 0n, n: 1e300 },
]

describe.each(['node', 'auto', 'app.fetch'] as const)('64-bit integers over %s', (way) => {
  let app: CloisterInstance
  let target: string | Send
  let api: Client<Api>

  beforeAll(async () => {
    app = createApp(way === 'app.fetch' ? 'auto' : way)
    target = way === 'app.fetch' ? app.fetch : await app.listen({ port: 0 })
    api = client<Api>(target, { integers, WebSocket })
  })
  afterAll(() => app.close())

  it.each(ORDERS)('are exact in a body of JSON and its reply: $id', async (body) => {
    expect((await api('POST /orders', { body })).body).toEqual(body)
  })

  it('are exact in paths, queries and forms', async () => {
    const input = { params: { id: BIG }, query: { ids: [MIN_INT64, 3n] } }
    expect((await api('GET /orders/:id', input)).body).toEqual({ id: BIG, ids: [MIN_INT64, 3n] })
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await api('POST /forms', { type, body: { id: BIG, ids: [MIN_INT64, 3n] } })).body).toEqual({
        id: BIG,
        ids: [MIN_INT64, 3n],
      })
  })

  it('are exact in items and events', async () => {
    for (const body of [[...ORDERS], each(...ORDERS)]) {
      const reply = await api('POST /lines', { type: LINES, body })
      if (reply.status === 200) expect(await readAll(reply.body)).toEqual(ORDERS)
      else expect.unreachable(String(reply.status))
    }
    const events = await readAll((await api('GET /events')).body)
    expect(events.map(({ data }) => data)).toEqual([{ id: BIG }, { id: 1n }])
  })

  it('are an error with a code where the types have numbers', async () => {
    const failure: unknown = await api('GET /other').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(IntegerError)
    expect(failure).toMatchObject({
      code: 'CLO_ERR_CLIENT_INTEGER',
      message: 'body/n is 9007199254740993, which is not exactly representable as a number',
    })
    const exact = client<Omit<Api, keyof ReadsInt64>>(target, { integers: exactIntegers() })
    await expect(exact('POST /orders', { body: { id: BIG } })).rejects.toThrow(
      /^body\/id is 9007199254740993/,
    )
    const item = exact('POST /lines', { type: LINES, body: [{ id: 1n }, { id: BIG }] })
    await expect(item.then(({ body }) => readAll(body))).rejects.toThrow(/^item 2\/id is/)
    const event = exact('GET /events')
    await expect(event.then(({ body }) => readAll(body))).rejects.toThrow(/^event 1\/id is/)
  })

  it('are the nearest numbers without the setting', async () => {
    const plain = client<Omit<Api, keyof ReadsInt64>>(target)
    expect((await plain('POST /orders', { body: { id: BIG } })).body).toEqual({ id: Number(BIG) })
  })

  it('identify a query as text', async () => {
    const input = { params: { id: BIG } }
    const data = await new QueryClient().fetchQuery(queryOptions(api, 'GET /orders/:id', input))
    expect(data).toEqual({ id: BIG, ids: [] })
    expect(queryOptions(api, 'GET /orders/:id', input).queryKey[1]).toEqual({ params: { id: String(BIG) } })
  })

  it.skipIf(way === 'app.fetch')('are exact in messages', async () => {
    const socket = api.ws('GET /chat')
    for (const one of ORDERS) await socket.send(one)
    const seen: Order[] = []
    for await (const one of socket) if (seen.push(one) === ORDERS.length) break
    expect(seen).toEqual(ORDERS)
    const exact = client<Omit<Api, keyof ReadsInt64>>(target, { integers: exactIntegers(), WebSocket }).ws(
      'GET /chat',
    )
    await exact.send({ id: BIG })
    await expect(readAll(exact)).rejects.toThrow(/^message 1\/id is 9007199254740993/)
  })
})

/** Reads JSON that a server sends. */
async function read(text: string, options: ClientArguments<{}>[0]): Promise<unknown> {
  const send = async (): Promise<Response> =>
    new Response(text, { headers: { 'content-type': 'application/json' } })
  const api = client<{ 'GET /': { replies: { default: unknown } } }>(send, options)
  return (await api('GET /')).body
}

const at = (...places: IntegerTable['places']): IntegerTable => ({
  routes: { 'GET /': { default: 0 } },
  places,
})

describe('reading 64-bit integers', () => {
  it('follows maps, tuples and values within themselves', async () => {
    const table = at(
      { properties: { next: 0, id: 1, plain: null }, others: 1, first: [null, 1], items: 0 },
      { int64: true },
    )
    const text = '[1,2,[3,4],{"id":5,"plain":6,"__proto__":7,"next":{"id":8,"next":null}}]'
    expect(await read(text, { integers: exactIntegers(table) })).toEqual([
      1,
      2n,
      [3, 4n],
      Object.fromEntries([
        ['id', 5n],
        ['plain', 6],
        ['__proto__', 7n],
        ['next', { id: 8n, next: null }],
      ]),
    ])
  })

  it('refuses what is not certain, and names it', async () => {
    const table = at({ properties: { 'a/b~': 1 } }, { int64: true })
    await expect(read('{"a/b~":9007199254740993.0}', { integers: exactIntegers(table) })).rejects.toThrow(
      'body/a~1b~0 is 9007199254740992, which is no integer that is certain',
    )
    await expect(read('{"a/b~":1.5}', { integers: exactIntegers(table) })).rejects.toThrow(
      'no integer that is certain',
    )
    await expect(read('{"x":[1e400]}', { integers: exactIntegers() })).rejects.toThrow('body/x/0 is Infinity')
  })

  it('reads all other JSON as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false }), async (value) => {
        // A number beyond 2^53 - 1 may be written as an integer that it is not.
        fc.pre(!/\d{16}/.test(JSON.stringify(value)))
        const text = JSON.stringify({ value, long: '1234567890123456', double: 9007199254740992 })
        expect(await read(text, { integers: exactIntegers() })).toEqual(JSON.parse(text))
      }),
      { numRuns: 300 },
    )
  })

  it('reads each integer exactly, or refuses it', async () => {
    const table = at({ properties: { id: 1 } }, { int64: true })
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: MIN_INT64, max: 2n ** 63n - 1n }), async (value) => {
        expect(await read(`{"id":${value}}`, { integers: exactIntegers(table) })).toEqual({ id: value })
        const number = Number(value)
        const plain = read(`{"other":${value}}`, { integers: exactIntegers(table) })
        if (BigInt(number) === value) expect(await plain).toEqual({ other: number })
        else await expect(plain).rejects.toThrow(IntegerError)
      }),
      { numRuns: 300 },
    )
  })
})

describe('writing 64-bit integers', () => {
  /** Returns the body that a client sends. */
  async function written(body: unknown): Promise<string> {
    let text = ''
    const send = async (request: Request): Promise<Response> => {
      text = await request.text()
      return new Response()
    }
    await client<{ 'POST /': { body: unknown; replies: { default: unknown } } }>(send)('POST /', { body })
    return text
  }

  it('writes texts that look as bigints of the writer as they are', async () => {
    const body = {
      a: 1n,
      b: 'int64:1',
      'int64:2': ['int64::1', 'x"int64:3', -5n],
      d: new Date(0),
      e: undefined,
    }
    expect(await written(body)).toBe(
      String.raw`{"a":1,"b":"int64:1","int64:2":["int64::1","x\"int64:3",-5],"d":"1970-01-01T00:00:00.000Z"}`,
    )
  })

  it('rejects a value that contains itself', async () => {
    const circle: Record<string, unknown> = { id: 1n }
    circle['self'] = circle
    await expect(written(circle)).rejects.toThrow(TypeError)
  })

  it('is JSON.stringify for all other values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await written({ value, id: BIG })).toBe(
          JSON.stringify({ value, id: 0 }).replace(/0\}$/, `${BIG}}`),
        )
      }),
      { numRuns: 300 },
    )
  })
})
