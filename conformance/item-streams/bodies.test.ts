// Bodies of lines: a handler reads their items one after the other, each held to its schema.
import type { App, Handler } from '../harness/app-shape.ts'
import type { SentResponse } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'

const LINES = 'application/x-ndjson'
const item = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

const canBeIterated = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

function itemsOf(body: unknown): AsyncIterable<unknown> {
  if (canBeIterated(body)) return body
  throw new TypeError('the body cannot be iterated')
}

describeTransports(
  'item streams: bodies',
  ({ createApp, send, expect, ours }) => {
    const test = ours('the peers have no such bodies')

    async function readAll(body: unknown): Promise<unknown[]> {
      const items: unknown[] = []
      for await (const one of itemsOf(body)) items.push(one)
      return items
    }

    const collect: Handler = (request) => readAll(request.body)

    function addRoute(
      app: App,
      handler: Handler = collect,
      options: object = {},
      schema: object = item,
    ): void {
      const content = { [LINES]: { schema }, 'application/jsonl': { schema }, 'application/json': { schema } }
      app.post('/', { ...options, schema: { body: { content } } }, handler)
    }

    const post = (app: App, body: string, type: string = LINES): Promise<SentResponse> =>
      send(app, { method: 'POST', path: '/', headers: { 'content-type': type }, body })

    test.each([LINES, 'application/jsonl', 'Application/X-NDJSON; charset=utf-8'])(
      'gives the handler the items of a body of lines (%s)',
      async (type) => {
        const app = createApp()
        addRoute(app)
        const response = await post(app, '{"n":1}\n\r\n {"n":2}\r\n{"n":3}', type)
        expect([response.status, response.json()]).toEqual([200, [{ n: 1 }, { n: 2 }, { n: 3 }]])
      },
    )

    test('gives the handler no items of an empty body', async () => {
      const app = createApp()
      addRoute(app)
      expect((await post(app, '')).json()).toEqual([])
    })

    test('validates items as the body of a request of their own, defaults and coercion included', async () => {
      const app = createApp()
      const schema = { ...item, properties: { n: { type: 'integer' }, kind: { default: 'plain' } } }
      addRoute(app, collect, {}, schema)
      expect((await post(app, '{"n":"7"}\n')).json()).toEqual([{ n: 7, kind: 'plain' }])
      expect((await post(app, '{"n":"7"}', 'application/json')).status).toBe(500)
    })

    test.each([
      [
        'does not match its schema',
        '{"n":1}\n\n{"n":"many"}\n{"n":3}\n',
        400,
        'item 2: body/n must be integer',
      ],
      ['is no JSON', '{"n":1}\n{"n":\n', 400, 'Item 2 of the body is not valid JSON'],
      ['poisons prototypes', '{"n":1,"__proto__":{}}\n', 400, 'Item 1 of the body is not valid JSON'],
      [
        'is longer than bodyLimit',
        `{"n":1}\n{"n":${'1'.repeat(100)}}\n`,
        413,
        'Item 2 of the body is longer than 50',
      ],
    ])('responds with the number of an item that %s', async (_problem, body, status, message) => {
      const app = createApp()
      let count = 0
      addRoute(
        app,
        async (request) => {
          for await (const _ of itemsOf(request.body)) count += 1
        },
        { bodyLimit: 50 },
      )
      const response = await post(app, body)
      expect([response.status, response.json()]).toEqual([
        status,
        expect.objectContaining({ message: expect.stringContaining(message) }),
      ])
      expect(count).toBe(Number(/tem (\d)/.exec(message)?.[1]) - 1)
    })

    test('shows a handler the violation of an item', async () => {
      const app = createApp()
      addRoute(app, async (request) => {
        try {
          await readAll(request.body)
        } catch (error) {
          return { ...Object(error) }
        }
        return null
      })
      expect((await post(app, '{"n":"many"}')).json()).toEqual(
        expect.objectContaining({
          statusCode: 400,
          validationContext: 'body',
          validation: [expect.objectContaining({ instancePath: '/n', keyword: 'type' })],
        }),
      )
    })

    test('refuses a body with more bytes than itemsLimit', async () => {
      const app = createApp({ itemsLimit: 1000 })
      addRoute(app)
      expect((await post(app, '{"n":1}\n'.repeat(125))).status).toBe(200)
      expect((await post(app, '{"n":1}\n'.repeat(126))).status).toBe(413)
    })

    test('gives the next request of a connection its own response where a body is not read to its end', async () => {
      const app = createApp()
      addRoute(app, async (request) => {
        for await (const first of itemsOf(request.body)) return first
        return null
      })
      const body = '{"n":1}\n'.repeat(20_000)
      expect((await post(app, body)).json()).toEqual({ n: 1 })
      expect((await post(app, body)).json()).toEqual({ n: 1 })
    })

    test('gives preValidation hooks no way past the schema', async () => {
      const app = createApp()
      app.addHook('preValidation', async (request) => {
        request.body = { n: 'many' }
      })
      addRoute(app)
      expect((await post(app, '{"n":1}\n')).status).toBe(400)
    })

    test('uses the parser that the application has for a media type', async () => {
      const app = createApp()
      app.addContentTypeParser(LINES, { parseAs: 'string' }, (_request, body, done) =>
        done(null, { n: String(body).length }),
      )
      addRoute(app, (request) => request.body)
      expect((await post(app, '{"n":1}\n')).json()).toEqual({ n: 8 })
    })

    test('refuses lines for a route whose schema declares none', async () => {
      const app = createApp()
      app.post('/', { schema: { body: item } }, collect)
      expect((await post(app, '{"n":1}\n')).status).toBe(415)
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
