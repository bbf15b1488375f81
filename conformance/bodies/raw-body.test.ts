// `rawBody: true`: the bytes of a body beside what was parsed of them.
import { code } from '../harness/subject.ts'
import { describeTransports } from '../harness/transports.ts'

describeTransports('bodies: rawBody', ({ createApp, send, ours, expect }) => {
  const test = ours('fastify needs a plugin for it')
  type Subject = ReturnType<typeof createApp>
  const shown = (value: unknown): unknown =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : typeof value
  const echo = (app: Subject, options: object = {}): Subject =>
    app.post('/', { rawBody: true, ...options }, (request) => ({
      raw: shown(request.rawBody),
      isBuffer: Buffer.isBuffer(request.rawBody),
      body: request.body,
    }))
  const post = (app: Subject, type: string, body: string | Buffer): ReturnType<typeof send> =>
    send(app, { method: 'POST', path: '/', headers: { 'content-type': type }, body })

  test('has the bytes as they came, beside the parsed and validated JSON', async () => {
    const schema = { body: { type: 'object', properties: { n: { type: 'integer' } } } }
    const app = echo(createApp(), { schema })
    const response = await post(app, 'application/json', '{ "n" : "1",\n"other": true }')
    expect(response.json()).toEqual({
      raw: '{ "n" : "1",\n"other": true }',
      isBuffer: true,
      body: { n: 1, other: true },
    })
  })

  test('has bytes that are no UTF-8, which the text of the body replaces', async () => {
    const response = await post(echo(createApp()), 'text/plain', Buffer.from([0x61, 0xff, 0xef, 0xbb, 0xbf]))
    expect(response.json()).toEqual({
      raw: 'a\u00FF\u00EF\u00BB\u00BF',
      isBuffer: true,
      body: 'a\uFFFD\uFEFF',
    })
  })

  test('has what a parser of the application got, whichever way it takes it', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/string', { parseAs: 'string' }, async (_request, body) => typeof body)
    app.addContentTypeParser('x/buffer', { parseAs: 'buffer' }, async (_request, body) =>
      Buffer.isBuffer(body),
    )
    expect((await post(app, 'x/string', 'abc')).json()).toEqual({
      raw: 'abc',
      isBuffer: true,
      body: 'string',
    })
    expect((await post(app, 'x/buffer', 'abc')).json()).toEqual({ raw: 'abc', isBuffer: true, body: true })
  })

  test('is empty without a body', async () => {
    const app = echo(createApp())
    expect((await send(app, { method: 'POST', path: '/' })).json()).toEqual({ raw: '', isBuffer: true })
  })

  test('is there for preValidation hooks, and when the body is not valid', async () => {
    const schema = { body: { type: 'object', required: ['id'] } }
    const app = createApp()
    const seen: unknown[] = []
    app.addHook('preValidation', async (request) => void seen.push(shown(request['rawBody'])))
    echo(app, { schema })
    expect((await post(app, 'application/json', '{}')).status).toBe(400)
    expect(seen).toEqual(['{}'])
  })

  test('holds the body to its limit, and to JSON', async () => {
    const app = echo(createApp(), { bodyLimit: 10 })
    expect((await post(app, 'application/json', '"0123456789"')).status).toBe(413)
    expect((await post(app, 'application/json', '{"a"')).status).toBe(400)
  })

  test('refuses a body that a parser reads as a stream', async () => {
    const app = echo(createApp())
    app.addContentTypeParser('x/stream', async () => 'never')
    const response = await post(app, 'x/stream', 'abc')
    expect(response.status).toBe(415)
    expect(response.json()).toMatchObject({
      code: code('CTP_RAW_BODY_STREAMED'),
      message: expect.stringContaining('Unsupported Media Type: x/stream.'),
    })
  })

  test('is a property like others: it can be listed, replaced and deleted', async () => {
    const app = createApp()
    app.post('/', { rawBody: true }, (request) => {
      const isListed = Object.keys(request).includes('rawBody')
      request['rawBody'] = 'replaced'
      const { rawBody } = request
      delete request['rawBody']
      return { isListed, rawBody, isThere: 'rawBody' in request }
    })
    const expected = { isListed: true, rawBody: 'replaced', isThere: false }
    expect((await post(app, 'text/plain', 'abc')).json()).toEqual(expected)
  })

  test('does not reserve the name on routes without it', async () => {
    const app = createApp()
    expect(app.hasRequestDecorator('rawBody')).toBe(false)
    app.decorateRequest('rawBody', null)
    app.addHook('preValidation', async (request) => void (request['rawBody'] = 'of the plugin'))
    app.post('/plain', (request) => ({ raw: request['rawBody'] }))
    echo(app)
    const body = '{}'
    const headers = { 'content-type': 'application/json' }
    expect((await send(app, { method: 'POST', path: '/plain', headers, body })).json()).toEqual({
      raw: 'of the plugin',
    })
  })

  test('is refused when it is no boolean', () => {
    expect(() => createApp().post('/', { rawBody: 'yes' }, () => 'ok')).toThrow("'rawBody' must be a boolean")
  })
})
