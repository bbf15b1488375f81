// Forms by schema: `multipart/form-data` and `application/x-www-form-urlencoded` as content types of a body schema.
import multipart from '@fastify/multipart'
import { z } from 'zod'
import type { App, Request } from '../harness/app-shape.ts'
import type { TransportName } from '../harness/transports.ts'
import { describeTransports } from '../harness/transports.ts'
import { BOUNDARY, FORM_TYPE, formBody, formRequest } from './form-body.ts'
import type { Part } from './form-body.ts'

const ALL: readonly TransportName[] = ['in-process', 'socket', 'http2', 'memory', 'fetch']
const file = { type: 'string', format: 'binary' } as const
const LARGE = { ...file, maxLength: 10_000_000 }

interface Sent {
  readonly name: string
  readonly type: string
  text(): Promise<string>
  stream(): ReadableStream<Uint8Array>
}

const isFile = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && 'stream' in value

/** What a handler has got, as JSON. */
async function shown(value: unknown): Promise<unknown> {
  if (isFile(value)) return [value.name, value.type, (await value.text()).length]
  if (Array.isArray(value)) return Promise.all(value.map(shown))
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    const all: unknown[] = []
    for await (const one of value as AsyncIterable<unknown>) all.push(await shown(one))
    return { streamed: all }
  }
  return value
}

async function echo({ body }: Request): Promise<unknown> {
  const entries: [string, unknown][] = []
  for (const [name, value] of Object.entries(Object(body))) entries.push([name, await shown(value)])
  return Object.fromEntries(entries)
}

describeTransports(
  'forms by schema',
  ({ createApp, send, ours, expect, transport }) => {
    const test = ours('fastify needs plugins for forms')
    const formApp = (schema: object, options: object = {}, appOptions: Record<string, unknown> = {}): App => {
      const app = createApp(appOptions)
      const body = { content: { 'multipart/form-data': { schema } } }
      return app.post('/', { schema: { body }, ...options }, echo)
    }
    const post = (app: App, parts: readonly Part[]): ReturnType<typeof send> => send(app, formRequest(parts))
    const message = (response: { json(): unknown }): unknown =>
      Reflect.get(Object(response.json()), 'message')

    test('coerces and validates fields as those of a query, and fills in defaults', async () => {
      const properties = {
        title: { type: 'string' },
        year: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        draft: { type: 'boolean', default: true },
      }
      const app = formApp({ type: 'object', required: ['title'], properties })
      const good = await post(app, [
        { name: 'title', value: 'Flatländ' },
        { name: 'year', value: '1884' },
        { name: 'tags', value: 'a' },
      ])
      expect([good.status, good.json()]).toEqual([
        200,
        { title: 'Flatländ', year: 1884, tags: ['a'], draft: true },
      ])
      const bad = await post(app, [
        { name: 'title', value: 'x' },
        { name: 'year', value: 'soon' },
      ])
      expect([bad.status, message(bad)]).toEqual([400, 'body/year must be integer'])
      expect((await post(app, [])).status).toBe(400)
    })

    test('gives files that fit into bodyLimit as File, in any order with the fields', async () => {
      const properties = { a: file, more: { type: 'array', items: file }, title: { type: 'string' } }
      const app = formApp({ type: 'object', required: ['a', 'title'], properties })
      const parts = [
        { name: 'more', value: 'one', filename: '1.txt', type: 'text/plain' },
        { name: 'a', value: Buffer.alloc(200_000, 'a'), filename: 'a.bin', type: 'application/octet-stream' },
        { name: 'title', value: 'x' },
        { name: 'more', value: '', filename: '2.txt', type: 'text/plain' },
      ]
      const response = await post(app, parts)
      expect(response.json()).toEqual({
        more: [
          ['1.txt', 'text/plain', 3],
          ['2.txt', 'text/plain', 0],
        ],
        a: ['a.bin', 'application/octet-stream', 200_000],
        title: 'x',
      })
      const without = await post(app, [{ name: 'title', value: 'x' }])
      expect([without.status, message(without)]).toEqual([400, "body must have required property 'a'"])
    })

    test('omits the file of an input that a browser left empty', async () => {
      const app = formApp({ type: 'object', properties: { a: file } })
      const parts = [{ name: 'a', value: '', filename: '', type: 'application/octet-stream' }]
      expect((await post(app, parts)).json()).toEqual({})
    })

    test('streams a file whose maxLength is above bodyLimit', async () => {
      const app = formApp({
        type: 'object',
        required: ['video'],
        properties: { title: { type: 'string' }, video: LARGE },
      })
      const response = await post(app, [
        { name: 'title', value: 'x' },
        { name: 'video', value: Buffer.alloc(3_000_000, 'v'), filename: '../../v.mp4', type: 'video/mp4' },
      ])
      expect(response.json()).toEqual({ title: 'x', video: ['v.mp4', 'video/mp4', 3_000_000] })
    })

    test('streams the files of a list one after the other, and skips what is not read', async () => {
      const photos = { type: 'array', items: LARGE, minItems: 2, maxItems: 3 }
      const schema = { type: 'object', required: ['photos'], properties: { photos } }
      const parts = [700_000, 5, 900_000, 1].map((size, n) => ({
        name: 'photos',
        value: Buffer.alloc(size, String(n)),
        filename: `${n}.png`,
        type: 'image/png',
      }))
      const app = formApp(schema)
      app.post(
        '/first',
        { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
        async ({ body }) => {
          const names: string[] = []
          for await (const one of Object(body).photos) names.push(one.name)
          return names
        },
      )
      expect((await post(app, parts.slice(0, 3))).json()).toEqual({
        photos: {
          streamed: [700_000, 5, 900_000].map((size, n) => [`${n}.png`, 'image/png', size]),
        },
      })
      expect((await send(app, formRequest(parts.slice(0, 3), '/first'))).json()).toEqual([
        '0.png',
        '1.png',
        '2.png',
      ])
      const few = await post(app, parts.slice(0, 1))
      expect([few.status, message(few)]).toEqual([
        400,
        expect.stringContaining("'photos' has less than 2 files"),
      ])
      const many = await post(app, parts)
      expect([many.status, message(many)]).toEqual([
        400,
        expect.stringContaining("'photos' has more than 3 files"),
      ])
    })

    const small = { ...file, maxLength: 3, contentMediaType: 'text/plain' }
    const strict = {
      type: 'object',
      properties: { a: small, video: LARGE, title: { type: 'string' }, two: { ...file, minLength: 2 } },
    }
    const text = (value: string): Omit<Part, 'name'> => ({ value, filename: 'x.txt', type: 'text/plain' })
    const REFUSED: readonly (readonly [string, readonly Part[], number, string])[] = [
      ['a field that is not declared', [{ name: 'b', value: '' }], 400, "the field 'b' is not declared"],
      ['a file that is not declared', [{ name: 'b', ...text('') }], 400, "the file 'b' is not declared"],
      ['a file for a field', [{ name: 'title', ...text('') }], 400, "'title' is declared as a field"],
      [
        'a second file',
        [
          { name: 'a', ...text('') },
          { name: 'a', ...text('') },
        ],
        400,
        "'a' comes twice",
      ],
      [
        'a file above its maxLength',
        [{ name: 'a', ...text('1234') }],
        413,
        "'a' has more than 3 bytes (maxLength)",
      ],
      ['a file below its minLength', [{ name: 'two', ...text('1') }], 400, "'two' has less than 2 bytes"],
      ['a file of another type', [{ name: 'a', ...text(''), type: 'image/png' }], 400, 'must be text/plain'],
      ['a field above bodyLimit', [{ name: 'title', value: 'x'.repeat(1_100_000) }], 413, 'bodyLimit'],
      [
        'a file above bodyLimit',
        [{ name: 'two', ...text('x'.repeat(1_100_000)) }],
        413,
        "bytes (bodyLimit) at or behind the part 'two'",
      ],
      [
        'a field behind a file that streams',
        [
          { name: 'video', ...text('') },
          { name: 'title', value: '' },
        ],
        400,
        "'title' comes behind the file 'video'",
      ],
      [
        'more than 1000 parts',
        Array.from({ length: 1001 }, () => ({ name: 'title', value: '' })),
        413,
        'more than 1000 parts',
      ],
      ['a part without a name', [{ name: '"; x="', value: '' }], 400, "the field '' is not declared"],
      [
        'a streamed file above its maxLength',
        [{ name: 'video', ...text('x'.repeat(10_000_001)) }],
        413,
        "'video' has more than 10000000 bytes",
      ],
    ]
    for (const [what, parts, status, reason] of REFUSED) {
      test(`refuses ${what}, and names it`, async () => {
        const response = await post(formApp(strict), parts)
        expect([response.status, message(response)]).toEqual([status, expect.stringContaining(reason)])
      })
    }

    test('refuses bytes that are no form, or not the whole of it', async () => {
      const app = formApp(strict)
      const whole = formBody([{ name: 'video', ...text('x'.repeat(5000)) }])
      const bodies: readonly (readonly [string, Buffer])[] = [
        ['multipart/form-data', whole],
        [FORM_TYPE, Buffer.from('nothing')],
        [FORM_TYPE, Buffer.alloc(0)],
        [FORM_TYPE, whole.subarray(0, 3000)],
        [FORM_TYPE, whole.subarray(0, -10)],
        [FORM_TYPE, Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="title"\r\n\r\nhalf`)],
      ]
      for (const [type, body] of bodies) {
        const response = await send(app, {
          method: 'POST',
          path: '/',
          headers: { 'content-type': type },
          body,
        })
        expect([response.status, Reflect.get(Object(response.json()), 'code')]).toEqual([
          400,
          'CLO_ERR_FORM_INVALID',
        ])
      }
    })

    test('parses a field that is an object as JSON, with or without a type of its own', async () => {
      const meta = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false }
      const app = formApp({ type: 'object', properties: { meta } })
      for (const type of [undefined, 'application/json']) {
        const part = {
          name: 'meta',
          value: '{"n":1}',
          ...(type === undefined ? {} : { type, filename: 'blob' }),
        }
        expect((await post(app, [part])).json()).toEqual({ meta: { n: 1 } })
      }
      const bad = await post(app, [{ name: 'meta', value: '{' }])
      expect([bad.status, message(bad)]).toEqual([
        400,
        "The form is not valid: the field 'meta' is not valid JSON",
      ])
      expect((await post(app, [{ name: 'meta', value: '{"__proto__":{}}' }])).status).toBe(400)
    })

    test('leaves a list that is sent as JSON as it is, before and behind a file that streams', async () => {
      const app = createApp({ bodyLimit: 1000 })
      const schema = { type: 'object', properties: { tags: { type: 'array', items: {} }, f: LARGE } }
      app.post(
        '/',
        { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
        async (request) => {
          const before = JSON.stringify(Object(request.body).tags)
          const { f, tags } = Object(await echo(request))
          return [before, tags, f]
        },
      )
      const json = (value: unknown): Part => ({
        name: 'tags',
        value: JSON.stringify(value),
        type: 'application/json',
      })
      const f = { name: 'f', value: 'x'.repeat(3000), filename: 'f', type: 'text/plain' }
      const cases: [Part[], unknown][] = [
        [[json(['a'])], ['a']],
        [
          [json(['a']), json(['b'])],
          [['a'], ['b']],
        ],
        [
          [json(['a']), { name: 'tags', value: 'b' }],
          [['a'], 'b'],
        ],
      ]
      for (const [parts, tags] of cases)
        expect((await post(app, [...parts, f])).json()).toEqual([
          JSON.stringify(tags),
          tags,
          ['f', 'text/plain', 3000],
        ])
    })

    test('reads properties behind $ref and allOf, and keeps others where additionalProperties says so', async () => {
      const app = createApp()
      app.addSchema({ $id: 'files', definitions: { small: { ...file, maxLength: 2 } } })
      app.addSchema({ $id: 'base', type: 'object', properties: { n: { type: 'integer' } } })
      const schema = {
        allOf: [
          { $ref: 'base#' },
          { type: 'object', properties: { f: { $ref: 'files#/definitions/small' } } },
        ],
        additionalProperties: true,
      }
      app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema } } } } }, echo)
      const parts = [
        { name: 'n', value: '1' },
        { name: 'other', value: 'x' },
      ]
      expect((await post(app, [...parts, { name: 'f', ...text('12') }])).json()).toEqual({
        n: 1,
        other: 'x',
        f: ['x.txt', 'text/plain', 2],
      })
      expect((await post(app, [{ name: 'f', ...text('123') }])).status).toBe(413)
    })

    test('takes the media types of a file from encoding, with wildcards', async () => {
      const app = createApp()
      const encoding = { a: { contentType: 'image/*, text/csv' } }
      const schema = { type: 'object', properties: { a: file } }
      app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema, encoding } } } } }, echo)
      const statusOf = async (type: string): Promise<number> =>
        (await post(app, [{ name: 'a', value: '', filename: 'a', type }])).status
      expect([await statusOf('image/png'), await statusOf('text/csv'), await statusOf('text/html')]).toEqual([
        200, 200, 400,
      ])
    })

    test('refuses an encoding of what is no property, when the app starts', async () => {
      const app = createApp()
      const encoding = { imgae: { contentType: 'image/*' } }
      const schema = { type: 'object', properties: { image: file } }
      app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema, encoding } } } } }, echo)
      const message = /POST \/ is not usable: its form has an encoding for 'imgae'.*did you mean 'image'\?/
      await expect(app.ready()).rejects.toThrow(message)
    })

    test('validates with a schema of another library, whose files are files', async () => {
      const app = formApp(z.object({ a: z.file().max(5), n: z.number(), list: z.array(z.file()).optional() }))
      const n = { name: 'n', value: '5' }
      const good = await post(app, [{ name: 'a', ...text('12345') }, n, { name: 'list', ...text('x') }])
      expect(good.json()).toEqual({
        a: ['x.txt', 'text/plain', 5],
        n: 5,
        list: [['x.txt', 'text/plain', 1]],
      })
      expect((await post(app, [{ name: 'a', ...text('123456') }, n])).status).toBe(413)
      expect((await post(app, [n])).status).toBe(400)
    })

    test('validates text forms by their schema', async () => {
      const app = createApp()
      const schema = {
        type: 'object',
        required: ['n'],
        properties: { n: { type: 'integer' }, all: { type: 'array' } },
      }
      app.post(
        '/',
        { schema: { body: { content: { 'application/x-www-form-urlencoded': { schema } } } } },
        echo,
      )
      const type = 'application/x-www-form-urlencoded; charset=utf-8'
      const sendText = (body: string): ReturnType<typeof send> =>
        send(app, { method: 'POST', path: '/', headers: { 'content-type': type }, body })
      expect((await sendText('n=12&all=a+b')).json()).toEqual({ n: 12, all: ['a b'] })
      expect((await sendText('n=x')).status).toBe(400)
      expect((await sendText('')).status).toBe(400)
      expect((await sendText(`n=1&all=${'x'.repeat(1_100_000)}`)).status).toBe(413)
    })

    test('refuses a form that nothing parses, without advice for the developer of the app', async () => {
      const app = createApp()
      app.post('/', () => 'reached')
      const response = await post(app, [])
      expect([response.status, message(response)]).toEqual([
        415,
        'Unsupported Media Type: multipart/form-data',
      ])
    })

    test('hands files to hooks and to handlers of forms that are not valid', async () => {
      const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' }, a: file } }
      const seen: unknown[] = []
      const app = formApp(schema, {
        attachValidation: true,
        preValidation: async ({ body }: Request) => void seen.push(await shown(Object(body).a)),
      })
      const response = await post(app, [{ name: 'a', ...text('1') }])
      expect([seen, response.json()]).toEqual([
        [['x.txt', 'text/plain', 1]],
        { a: ['x.txt', 'text/plain', 1] },
      ])
    })

    test('sends the response of a handler that does not read the file', async () => {
      const app = createApp()
      const schema = { type: 'object', properties: { video: LARGE } }
      app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema } } } } }, () => ({
        ok: true,
      }))
      const response = await post(app, [{ name: 'video', ...text('x'.repeat(2_000_000)) }])
      expect([response.status, response.json()]).toEqual([200, { ok: true }])
    })

    test('fails the second reading of a file that streams', async () => {
      const app = createApp()
      const schema = { type: 'object', properties: { video: LARGE } }
      app.post(
        '/',
        { schema: { body: { content: { 'multipart/form-data': { schema } } } } },
        async ({ body }) => {
          const { video } = Object(body)
          await video.text()
          return video.text()
        },
      )
      const response = await post(app, [{ name: 'video', ...text('x') }])
      expect([response.status, message(response)]).toEqual([
        500,
        expect.stringContaining("'x.txt' is a stream"),
      ])
    })

    test('passes forms to a parser of the application', async () => {
      const app = createApp()
      app.register(multipart, { attachFieldsToBody: 'keyValues' })
      app.register(async (child: App) => {
        const schema = { type: 'object', properties: { n: { type: 'integer' } } }
        child.post('/', { schema: { body: { content: { 'multipart/form-data': { schema } } } } }, echo)
        child.get('/', () => ({ ok: true }))
      })
      expect((await send(app, { path: '/' })).json()).toEqual({ ok: true })
      const response = await post(app, [
        { name: 'n', value: '1' },
        { name: 'undeclared', value: 'x' },
      ])
      const hasNode = transport !== 'memory' && transport !== 'fetch'
      expect(hasNode ? response.json() : response.status).toEqual(hasNode ? { n: 1, undeclared: 'x' } : 500)
    })
  },
  ALL,
)
