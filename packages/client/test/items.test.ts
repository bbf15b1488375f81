import { client, JsonError, StreamError } from '@cloister/client'
import type { Events, Items } from '@cloister/client'
import { cloister } from 'cloister'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
const LINES = 'application/x-ndjson'

interface Item {
  n: number
}

interface Api {
  'GET /items': { query: { type: string }; replies: { 200: Items<Item> } }
  'GET /events': { replies: { 200: Events<Item> } }
  'POST /sum': {
    content: { type: typeof LINES; body: Item[] | AsyncIterable<Item> }
    replies: { 200: number }
  }
}

async function* numbers(...values: unknown[]): AsyncGenerator<never> {
  for (const n of values) yield { n } as never
}

function createApp(): ReturnType<typeof cloister> {
  const app = cloister()
  const types = [LINES, 'application/jsonl', 'application/json-seq']
  const content = Object.fromEntries(types.map((type) => [type, { schema }]))
  app.get<{ Querystring: { type: string; bad?: string } }>(
    '/items',
    { schema: { response: { 200: { content } } } },
    (request, reply) => {
      reply.type(request.query.type)
      return numbers(1, 2)
    },
  )
  app.get(
    '/events',
    { schema: { response: { 200: { content: { 'text/event-stream': { schema } } } } } },
    () => numbers(1, 'many'),
  )
  app.post('/sum', { schema: { body: { content: { [LINES]: { schema } } } } }, async (request) => {
    let sum = 0
    for await (const { n } of request.body as AsyncIterable<Item>) sum += n
    return sum
  })
  return app
}

async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Reads a body of a media type that comes in these pieces. */
async function read(type: string, pieces: readonly string[]): Promise<unknown[]> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  const send = (): Promise<Response> =>
    Promise.resolve(new Response(stream, { headers: { 'content-type': type } }))
  const { body } = await client<Api>(send)('GET /items', { query: { type } })
  return readAll(body)
}

describe('items', () => {
  it.each([LINES, 'application/jsonl', 'application/json-seq'])('of %s come from an app', async (type) => {
    const { body } = await client<Api>(createApp().fetch)('GET /items', { query: { type } })
    expect(await readAll(body)).toEqual([{ n: 1 }, { n: 2 }])
  })

  it('are the same however their text is cut', async () => {
    const text = '{"n":1}\r\n\n  {"text":"\u2028ü"}\n3'
    const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const at = [0, ...places.toSorted((a, b) => a - b), text.length]
        const pieces = at.slice(1).map((place, index) => text.slice(at[index], place))
        expect(await read(LINES, pieces)).toEqual([{ n: 1 }, { text: '\u2028ü' }, 3])
      }),
    )
  })

  it('of which the last is cut are an error', async () => {
    await expect(read(LINES, ['1\n{"n"'])).rejects.toThrow(SyntaxError)
    await expect(read('application/json-seq', ['\u001E1\n\u001E12'])).rejects.toThrow('the last item is cut')
  })

  it('that are no JSON are an error that names them', async () => {
    const error: unknown = await read(LINES, ['1\n{"n"\n3\n']).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(JsonError)
    expect(error).toMatchObject({ code: 'CLO_ERR_CLIENT_JSON', message: 'item 2 is no JSON: {"n"' })
  })

  it('are searched for their end once, however many pieces one comes in', async () => {
    const pieces = ['"', ...Array<string>(2000).fill('x'.repeat(500)), '"', '\n1\n']
    const total = pieces.join('').length
    const split = vi.spyOn(RegExp.prototype, Symbol.split)
    try {
      const [text, one] = await read(LINES, pieces)
      expect(text).toBe('x'.repeat(1_000_000))
      expect(one).toBe(1)
      const searched = split.mock.calls.reduce((sum, [piece]) => sum + piece.length, 0)
      expect(searched).toBeGreaterThanOrEqual(total)
      expect(searched).toBeLessThanOrEqual(total + 3 * pieces.length)
    } finally {
      split.mockRestore()
    }
  })

  it('are sent as a list, and one after the other', async () => {
    const app = createApp()
    const api = client<Api>(await app.listen({ port: 0 }))
    try {
      expect((await api('POST /sum', { type: LINES, body: [{ n: 1 }, { n: 2 }] })).body).toBe(3)
      expect((await api('POST /sum', { type: LINES, body: numbers(1, 2, 4) })).body).toBe(7)
    } finally {
      await app.close()
    }
  })
})

it('events whose handler fails end with what the app says of it', async () => {
  const { body } = await client<Api>(createApp().fetch)('GET /events')
  const got: unknown[] = []
  const loop = async (): Promise<void> => {
    for await (const { data } of body) got.push(data)
  }
  const error: unknown = await loop().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StreamError)
  expect(error).toMatchObject({ failure: { statusCode: 500 }, message: 'Internal Server Error' })
  expect(got).toEqual([{ n: 1 }])
})
