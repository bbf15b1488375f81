// The rules of the table for forms, items, messages of WebSockets, calls of tools, and schemas of other libraries.
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect as plainExpect, it as plainIt } from 'vitest'
import { z } from 'zod'
import { BOUNDARY, FORM_TYPE } from '../forms/form-body.ts'
import type { App } from '../harness/app-shape.ts'
import type { SendRequest } from '../harness/send.ts'
import { describeTransports } from '../harness/transports.ts'
import { register } from '../mcp/tool-app.ts'
import { connect, LANES, useSocketApps } from '../sockets/client.ts'

const REASON = 'the peers have no such schemas'
const id = { type: 'integer' } as const
const schema = {
  type: 'object',
  properties: { id, name: { type: 'string' }, inner: { type: 'object' } },
} as const

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const request = (body: string | Buffer, contentType: string): SendRequest => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': contentType },
  body: Buffer.from(body),
})

/** A form with one part. */
function form(disposition: string, content: string, type = ''): SendRequest {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n${type}\r\n`
  return request(latin1(`${head}${content}\r\n--${BOUNDARY}--\r\n`), FORM_TYPE)
}

/** The inexact forms of one document, and what is said of each. */
const INEXACT: readonly (readonly [string, RegExp])[] = [
  ['{"id":9007199254740993}', /id.*exactly representable/],
  ['{"id":-0}', /id.*exactly representable/],
  ['{"id":1,"\\u0069d":2}', /id is given twice/],
  ['{"name":"\\udc00"}', /name contains a lone surrogate/],
  ['{"inner":{"n":1e400}}', /inner\/n is not exactly representable/],
]

describeTransports(
  'refused instead of guessed: wires',
  ({ createApp, send, expect, ours }) => {
    const test = ours(REASON)
    const create = (content: object, handler: (request: { body: unknown }) => unknown): App =>
      createApp({ strict: true }).post('/', { schema: { body: { content } } }, handler)

    test.each([
      ['the bytes of a field', form('name="name"', 'caf\xe9'), /field 'name' is not valid UTF-8/],
      ['the name of a field', form('name="n\xe9"', 'x'), /not valid UTF-8|not declared/],
      [
        'the name of a file',
        form('name="file"; filename="\xe9.txt"', 'x'),
        /filename of 'file' is not valid/,
      ],
      ['an integer in a field', form('name="id"', '9007199254740993'), /body\/id .*exactly representable/],
      [
        'a field of JSON that names a member twice',
        form('name="inner"', '{"a":1,"a":2}', 'content-type: application/json\r\n'),
        /field 'inner' \/a is given twice/,
      ],
    ])('%s of a form', async (_what, sent, words) => {
      const seen: unknown[] = []
      const file = { type: 'string', format: 'binary' }
      const properties = { ...schema.properties, file }
      const app = create(
        { [FORM_TYPE.split(';')[0] ?? '']: { schema: { ...schema, properties } } },
        ({ body }) => seen.push(body),
      )
      const response = await send(app, sent)
      expect([response.status, response.text, seen]).toEqual([400, expect.stringMatching(words), []])
    })

    test('a form in UTF-8 is read', async () => {
      const app = create({ 'multipart/form-data': { schema } }, ({ body }) => body)
      const sent = form('name="name"', Buffer.from('é😀').toString('latin1'))
      expect((await send(app, sent)).json()).toEqual({ name: 'é😀' })
    })

    test.each([...INEXACT, [latin1('{"name":"\xe9"}'), /not valid UTF-8/] as const])(
      'an item of a body of lines: %s',
      async (line, words) => {
        const seen: unknown[] = []
        const app = create({ 'application/x-ndjson': { schema } }, async ({ body }) => {
          for await (const item of body as AsyncIterable<unknown>) seen.push(item)
          return {}
        })
        const body = Buffer.concat([
          Buffer.from('{"id":1}\n'),
          Buffer.from(line),
          Buffer.from('\n{"id":3}\n'),
        ])
        const response = await send(app, request(body, 'application/x-ndjson'))
        expect([response.status, response.text]).toEqual([400, expect.stringMatching(words)])
        expect(response.text).toContain('item 2')
        expect(seen).toEqual([{ id: 1 }])
      },
    )

    test.each([
      ['Zod', z.object({ id: z.number().int() })],
      ['Zod with z.int', z.object({ id: z.int() })],
      ['Valibot', toStandardJsonSchema(v.object({ id: v.pipe(v.number(), v.integer()) }))],
      ['ArkType', type({ id: 'number.integer' })],
    ])('integers for a schema of %s', async (_name, library) => {
      const app = createApp({ strict: true })
      const seen: unknown[] = []
      app.post('/', { schema: { body: library } }, ({ body }) => seen.push(body))
      app.get('/', { schema: { querystring: library } }, ({ query }) => seen.push(query))
      for (const literal of ['9007199254740993', '9007199254740992', '-0', '-12345678901234567890']) {
        const ofBody = await send(app, request(`{"id":${literal}}`, 'application/json'))
        const ofQuery = await send(app, { path: `/?id=${literal}` })
        expect([literal, ofBody.status, ofQuery.status, seen]).toEqual([literal, 400, 400, []])
        expect(ofBody.text).toContain('/id')
      }
      await send(app, request('{"id":9007199254740991}', 'application/json'))
      await send(app, { path: '/?id=-9007199254740991' })
      expect(seen).toEqual([{ id: 9007199254740991 }, { id: -9007199254740991 }])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describeTransports('refused instead of guessed: tools', ({ createApp, send, expect, ours }) => {
  ours('the peers have no tools')('arguments of a call', async () => {
    const app = createApp({ strict: true })
    await register(app)
    const seen: unknown[] = []
    app.post('/things', { schema: { body: schema }, mcp: { name: 'add' } }, ({ body }) => {
      seen.push(body)
      return { ok: true }
    })
    const call = (body: string): ReturnType<typeof send> =>
      send(app, {
        method: 'POST',
        path: '/mcp',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"body":${body}}}}`,
      })
    for (const [body, words] of INEXACT) {
      if (body === '{"id":-0}') continue
      const response = await call(body)
      expect([body, response.text, seen]).toEqual([body, expect.stringMatching(words), []])
    }
    await call('{"id":9007199254740991}')
    expect(seen).toEqual([{ id: 9007199254740991 }])
  })
})

const createSockets = useSocketApps()

describe.each(Object.entries(LANES))('refused instead of guessed: messages (%s)', (_lane, options) => {
  plainIt.each(INEXACT)('a message of a WebSocket: %s', async (message, words) => {
    const { app } = await createSockets({ ...options, strict: true })
    const seen: unknown[] = []
    app.ws('/', { schema: { incoming: schema } }, async (socket) => {
      for await (const one of socket) seen.push(one)
    })
    const client = await connect(await app.listen({ port: 0 }), '/')
    client.send({ id: 1 })
    client.socket.send(message)
    plainExpect(await client.closed).toMatch(words)
    plainExpect(await client.closed).toMatch(/^100[78] message 2/)
    plainExpect(seen).toEqual([{ id: 1 }])
  })
})
