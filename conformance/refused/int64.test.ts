// `integers: 'bigint'`: an integer with `format: 'int64'` is a bigint in the handler, whatever it is, or the request is
// refused; a schema for which that does not hold is refused at the start.
import { describe, expect as plainExpect, it as plainIt } from 'vitest'
import { BOUNDARY, FORM_TYPE } from '../forms/form-body.ts'
import type { App } from '../harness/app-shape.ts'
import type { SendRequest } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { connect as connectTools, connectNew, register } from '../mcp/tool-app.ts'
import { connect, LANES, useSocketApps } from '../sockets/client.ts'

const REASON = 'the peers have no such option'
const BIGINT = { integers: 'bigint' }
const BIG = '9007199254740993'
const id = { type: 'integer', format: 'int64' } as const
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more })

const post = (body: string, type = 'application/json', path = '/'): SendRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': type },
  body: Buffer.from(body),
})

/** Adds a route with a body schema; returns the list of bodies that its handler gets. */
function addBody(app: App, schema: object): unknown[] {
  const seen: unknown[] = []
  app.post('/', { schema: { body: schema } }, ({ body }) => ({ n: seen.push(body) }))
  return seen
}

/** The text of a number, and the bigint that a handler gets; `null` for a refusal. */
const NUMBERS: readonly (readonly [string, bigint | null])[] = [
  ['0', 0n],
  ['5', 5n],
  ['1e3', 1000n],
  ['9007199254740991', 9007199254740991n],
  [BIG, 9007199254740993n],
  ['1e18', 1_000_000_000_000_000_000n],
  ['123456789012345e3', 123456789012345000n],
  ['9007199254740993.0', 9007199254740993n],
  ['9223372036854775807', 9223372036854775807n],
  ['-9223372036854775808', -9223372036854775808n],
  ['9223372036854775808', null],
  ['-9223372036854775809', null],
  ['-0', null],
  ['1.5', null],
  ['9007199254740993.5', null],
  ['0.99999999999999999999', null],
  ['1e400', null],
]

describeTransports(
  'integers of 64 bits',
  ({ createApp, send, expect, ours }) => {
    const test = ours(REASON)

    test.each(NUMBERS)('%s in each part of a request', async (text, exact) => {
      const app = createApp({ ...BIGINT, cookieSchemas: 'validate' })
      const seen: unknown[] = []
      const part = object({ id })
      app.post('/', { schema: { body: part } }, ({ body }) => ({
        n: seen.push(Reflect.get(Object(body), 'id')),
      }))
      app.get('/path/:id', { schema: { params: part } }, ({ params }) => ({ n: seen.push(params['id']) }))
      app.get('/query', { schema: { querystring: part } }, ({ query }) => ({ n: seen.push(query['id']) }))
      app.get('/headers', { schema: { headers: object({ ID: id }) } }, (request) => {
        return { n: seen.push(request.headers['id']) }
      })
      app.get('/cookies', { schema: { cookies: part } }, (request) => {
        return { n: seen.push(Reflect.get(Object(Reflect.get(request, 'cookies')), 'id')) }
      })
      const requests: readonly SendRequest[] = [
        post(`{"id":${text}}`),
        { path: `/path/${text}` },
        { path: `/query?id=${text}` },
        { path: '/headers', headers: { id: text } },
        { path: '/cookies', headers: { cookie: `id=${text}` } },
      ]
      for (const request of requests) {
        const { status, text: payload } = await send(app, request)
        expect([request.path, status, payload.includes('id')]).toEqual([
          request.path,
          exact === null ? 400 : 200,
          exact === null,
        ])
      }
      expect(seen).toEqual(exact === null ? [] : requests.map(() => exact))
    })

    test('are bigints in lists, maps, references, allOf, and with null and a default', async () => {
      const app = createApp(BIGINT)
      app.addSchema({ $id: 'node', ...object({ id, next: { $ref: 'node#' } }) })
      const seen = addBody(
        app,
        object(
          {
            list: { type: 'array', items: { type: ['integer', 'null'], format: 'int64' } },
            pair: { type: 'array', items: [{ type: 'string' }, id] },
            node: { $ref: 'node#' },
            all: { allOf: [object({ a: id }), object({ b: id })] },
            other: { type: 'integer' },
            set: { ...id, default: 5 },
            one: { ...id, enum: [1, 2] },
          },
          { additionalProperties: id },
        ),
      )
      const body = `{"list":[${BIG},null,1],"pair":["x",${BIG}],"node":{"id":${BIG},"next":{"id":2,"next":{"id":${BIG}}}},
        "all":{"a":${BIG},"b":1},"other":7,"one":2,"more":${BIG}}`
      expect((await send(app, post(body))).status).toBe(200)
      const big = BigInt(BIG)
      expect(seen).toEqual([
        {
          list: [big, null, 1n],
          pair: ['x', big],
          node: { id: big, next: { id: 2n, next: { id: big } } },
          all: { a: big, b: 1n },
          other: 7,
          set: 5n,
          one: 2n,
          more: big,
        },
      ])
    })

    test.each([
      [{ ...id, maximum: 10 }, '11', /id must be <= 10/],
      [{ ...id, minimum: 9007199254740991 }, '9007199254740990', /id must be >=/],
      [{ ...id, enum: [1, 2] }, BIG, /id must be equal to one of/],
      [{ type: 'integer' }, BIG, /id .*exactly representable/],
      [id, 'null', /id must be integer/],
    ])('the limits of %j hold for %s', async (schema, text, words) => {
      const app = createApp({ ...BIGINT, coerceJsonBodies: false })
      const seen = addBody(app, object({ id: schema }))
      const response = await send(app, post(`{"id":${text}}`))
      expect([response.status, response.text, seen]).toEqual([400, expect.stringMatching(words), []])
    })

    test('a value that a hook has set is read as it is, if it is certain', async () => {
      const app = createApp(BIGINT)
      app.addHook('preValidation', async ({ body, query }) => {
        const { to } = query
        Object.assign(Object(body), { id: Number(to) })
      })
      const seen = addBody(app, object({ id }))
      expect((await send(app, post(`{"id":${BIG}}`, 'application/json', '/?to=7'))).status).toBe(200)
      expect(
        (await send(app, post(`{"id":${BIG}}`, 'application/json', '/?to=9007199254740996'))).status,
      ).toBe(400)
      expect(seen).toEqual([{ id: 7n }])
    })

    test('forms, items and parsers of the application', async () => {
      const app = createApp(BIGINT)
      const seen: unknown[] = []
      const content = {
        'application/x-www-form-urlencoded': { schema: object({ id }) },
        'multipart/form-data': { schema: object({ id, inner: object({ id }) }) },
        'application/x-ndjson': { schema: object({ id }) },
      }
      app.post('/', { schema: { body: { content } } }, async ({ body }) => {
        const items = body as AsyncIterable<unknown> | object
        if (Symbol.asyncIterator in items) for await (const item of items) seen.push(item)
        else seen.push({ ...items })
        return {}
      })
      const part = (name: string, type: string, text: string): string =>
        `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n${type}\r\n${text}\r\n`
      const form = `${part('id', '', BIG)}${part(
        'inner',
        'content-type: application/json\r\n',
        `{"id":${BIG}}`,
      )}--${BOUNDARY}--\r\n`
      await send(app, post(`id=${BIG}`, 'application/x-www-form-urlencoded'))
      await send(app, post(form, FORM_TYPE))
      await send(app, post(`{"id":${BIG}}\n{"id":1}\n`, 'application/x-ndjson'))
      const big = BigInt(BIG)
      expect(seen).toEqual([{ id: big }, { id: big, inner: { id: big } }, { id: big }, { id: 1n }])
    })

    test('a parser of the application that reads JSON itself hands on numbers that are certain', async () => {
      const app = createApp(BIGINT)
      app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
        done(null, JSON.parse(String(body))),
      )
      const seen = addBody(app, object({ id }))
      expect((await send(app, post('{"id":1}'))).status).toBe(200)
      expect((await send(app, post(`{"id":${BIG}}`))).status).toBe(400)
      expect(seen).toEqual([{ id: 1n }])
    })

    test('a validator on demand reads them too', async () => {
      const app = createApp(BIGINT)
      app.get('/', async (request) => {
        const query = { id: BIG }
        const isValid = Reflect.apply(Object(request.validateInput), request, [query, object({ id })])
        return [isValid, typeof query.id, String(query.id)]
      })
      expect((await send(app, { path: '/' })).json()).toEqual([true, 'bigint', BIG])
    })

    test.each(['compat', 'strict'])('a response is written exactly (%s)', async (serialization) => {
      const app = createApp({ ...BIGINT, serialization })
      const schema = {
        body: object({ id }),
        response: { 200: object({ id, list: { type: 'array', items: id } }) },
      }
      app.post('/', { schema }, ({ body }) => ({ ...Object(body), list: [-9223372036854775808n, 1] }))
      const { text } = await send(app, post(`{"id":${BIG}}`))
      expect(text).toBe(`{"id":${BIG},"list":[-9223372036854775808,1]}`)
    })

    test.each([
      ['anyOf', { anyOf: [object({ default: id }), object({})] }, /under anyOf/],
      [
        'oneOf by reference',
        object({ a: { oneOf: [{ $ref: '#/definitions/id' }] } }, { definitions: { id } }),
        /under oneOf/,
      ],
      ['if', { type: 'object', if: object({ a: id }), then: {} }, /under if/],
      ['not', { type: 'object', not: object({ a: id }) }, /under not/],
      ['patternProperties', { type: 'object', patternProperties: { a: id } }, /under patternProperties/],
      ['contains', { type: 'array', contains: id }, /under contains/],
      ['uniqueItems', { type: 'array', items: id, uniqueItems: true }, /uniqueItems/],
      ['multipleOf', object({ id: { ...id, multipleOf: 2 } }), /multipleOf/],
      ['another type', object({ id: { type: ['integer', 'string'], format: 'int64' } }), /type string/],
      ['a default that is rounded', object({ id: { ...id, default: 2 ** 53 } }), /default: 9007199254740992/],
      ['a limit that is rounded', object({ id: { ...id, exclusiveMaximum: 2 ** 63 } }), /exclusiveMaximum/],
      ['a minimum that is rounded', object({ id: { ...id, minimum: 2 ** 60 + 256 } }), /minimum/],
      ['the whole body', id, /the whole body/],
    ])('a schema with %s is refused at the start', async (_what, schema, words) => {
      const app = createApp(BIGINT)
      addBody(app, schema)
      await expect(app.ready()).rejects.toThrow(words)
      await expect(app.ready()).rejects.toThrow(/int64\.test\.ts:\d+/)
      // Without the option, it is accepted.
      const other = createApp({ integers: 'exact' })
      addBody(other, schema)
      await other.ready()
    })

    test('limits of OpenAPI documents, 2^63, are those of 64 bits', async () => {
      const app = createApp(BIGINT)
      const seen = addBody(app, object({ id: { ...id, minimum: -(2 ** 63), maximum: 2 ** 63 } }))
      await send(app, post('{"id":9223372036854775807}'))
      expect(seen).toEqual([{ id: 9223372036854775807n }])
    })

    test('a validator compiler of the application is refused where a schema has them', async () => {
      const app = createApp(BIGINT)
      app.setValidatorCompiler(() => () => true)
      addBody(app, object({ name: { type: 'string' } }))
      await app.ready()
      const other = createApp(BIGINT)
      other.setValidatorCompiler(() => () => true)
      addBody(other, object({ id }))
      await expect(other.ready()).rejects.toThrow(/needs the framework's validator/)
    })

    test("with strict: 'report', the app itself reads them, and nothing more is counted", async () => {
      const app = createApp({ ...BIGINT, strict: 'report' })
      const seen = addBody(app, object({ id }))
      expect((await send(app, post(`{"id":${BIG}}`))).status).toBe(200)
      expect((await send(app, post('{"id":0.99999999999999999999}'))).status).toBe(400)
      expect(seen).toEqual([{ id: BigInt(BIG) }])
      expect(JSON.stringify(Reflect.apply(Object(app.report), app, []))).not.toContain('integers')
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describeTransports('integers of 64 bits: tools', ({ createApp, send, expect, ours }) => {
  ours('the peers have no tools')('arguments of a call, in path, query and body', async () => {
    const app = createApp(BIGINT)
    await register(app)
    const seen: unknown[] = []
    const schema = {
      params: object({ id }, { required: ['id'] }),
      querystring: object({ ids: { type: 'array', items: id } }),
      body: object({ id }),
    }
    app.post('/things/:id', { schema, mcp: { name: 'add' } }, ({ body, params, query }) => {
      seen.push({ ...Object(params) }, { ...Object(query) }, body)
      return {}
    })
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"params":{"id":${BIG}},"query":{"ids":[1,${BIG}]},"body":{"id":${BIG}}}}}`
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    await send(app, { method: 'POST', path: '/mcp', headers, body: Buffer.from(call) })
    const big = BigInt(BIG)
    expect(seen).toEqual([{ id: big }, { ids: [1n, big] }, { id: big }])
  })

  const RESULTS = [
    [
      'an object',
      object({ id, list: { type: 'array', items: id } }),
      `{"id":${BIG},"list":[1,-9223372036854775808]}`,
      '',
    ],
    ['a list', { type: 'array', items: id }, `[${BIG}]`, `{"result":[${BIG}]}`],
    ['an integer', id, BIG, `{"result":${BIG}}`],
  ] as const

  ours('the peers have no tools').each(RESULTS)(
    'the result of a call: %s',
    async (_what, schema, text, wrapped) => {
      const app = createApp(BIGINT)
      await register(app)
      const value = text.startsWith('{')
        ? { id: BigInt(BIG), list: [1n, -9223372036854775808n] }
        : text.startsWith('[')
          ? [BigInt(BIG)]
          : BigInt(BIG)
      app.get('/thing', { schema: { response: { 200: schema } }, mcp: { name: 'read' } }, (_request, reply) =>
        reply.type('application/json').send(value),
      )
      const call = (number: number): string =>
        `{"jsonrpc":"2.0","id":${number},"method":"tools/call","params":{"name":"read","arguments":{}}}`
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const content = `"structuredContent":${wrapped || text}`
      for (const body of [call(1), `[${call(1)},${call(2)}]`]) {
        const sent = await send(app, { method: 'POST', path: '/mcp', headers, body: Buffer.from(body) })
        expect([sent.status, sent.text.split(content).length - 1]).toEqual([
          200,
          body.startsWith('[') ? 2 : 1,
        ])
        expect(sent.text).toContain(`"text":${JSON.stringify(text)}`)
        expect(() => sent.json()).not.toThrow()
      }
      for (const client of [await connectTools(app, send), await connectNew(app, send)]) {
        const result = await client.callTool({ name: 'read', arguments: {} })
        expect(result.structuredContent).toEqual(JSON.parse(wrapped || text))
      }
    },
  )
})

const createSockets = useSocketApps()

describe.each(Object.entries(LANES))('integers of 64 bits: messages (%s)', (_lane, options) => {
  plainIt('are exact in both directions', async () => {
    const { app } = await createSockets({ ...options, ...BIGINT })
    const seen: unknown[] = []
    const schema = { incoming: object({ id }), outgoing: object({ id }) }
    app.ws('/', { schema }, async (socket) => {
      for await (const one of socket) {
        seen.push(one)
        await socket.send(one)
      }
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    const texts: string[] = []
    client.socket.on('message', (data: Buffer) => texts.push(data.toString()))
    client.socket.send(`{"id":${BIG}}`)
    await client.next()
    plainExpect([seen, texts]).toEqual([[{ id: BigInt(BIG) }], [`{"id":${BIG}}`]])
    client.socket.send('{"id":9223372036854775808}')
    plainExpect(await client.closed).toMatch(/^1008 message 2.*64 bits/)
  })
})
