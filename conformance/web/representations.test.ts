// Entity tags, preconditions and content codings.
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { callReply, describeWeb, register } from './web-app.ts'

const LONG = JSON.stringify({ text: 'a book about books '.repeat(200) })
const etagOf = ({ headers }: { readonly headers: Record<string, unknown> }): string => String(headers['etag'])

describeWeb('entity tags', ({ createApp, send, it, expect }) => {
  const start = async (options: object = {}): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, options)
    app.get('/', (_request: Request, reply: Reply) =>
      reply.header('cache-control', 'max-age=60').send({ a: 1 }),
    )
    app.post('/', () => ({ a: 1 }))
    app.get('/status/:status', (request: Request, reply: Reply) =>
      reply.code(Number(Object(request.params).status)).send({ a: 1 }),
    )
    app.get('/own', (_request: Request, reply: Reply) => {
      callReply(reply, 'version', 'v7')
      return reply.send(Readable.from(['a']))
    })
    return { app }
  }

  it('let a client that has the response get a 304 without content', async () => {
    const { app } = await start({ origins: ['https://shop.example'] })
    const tag = etagOf(await send(app, { path: '/' }))
    expect(tag).toMatch(/^"[\w-]{22}"$/)
    for (const field of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const received = await send(app, { path: '/', headers: { 'if-none-match': field } })
      expect([received.status, received.text, etagOf(received)]).toEqual([304, '', tag])
      expect(received.headers).toMatchObject({ vary: 'Origin', 'cache-control': 'max-age=60' })
      expect(received.headers['content-type']).toBe(undefined)
    }
    expect((await send(app, { path: '/', headers: { 'if-none-match': '"x"' } })).status).toBe(200)
    expect((await send(app, { method: 'HEAD', path: '/', headers: { 'if-none-match': tag } })).status).toBe(
      304,
    )
  })

  it('are only for complete responses to reads with the status 200', async () => {
    const { app } = await start()
    const anything = { 'if-none-match': '*' }
    for (const status of [201, 404, 500]) {
      const received = await send(app, { path: `/status/${status}`, headers: anything })
      expect([received.status, received.headers['etag']]).toEqual([status, undefined])
    }
    const posted = await send(app, { method: 'POST', path: '/', headers: anything })
    expect([posted.status, posted.headers['etag']]).toEqual([200, undefined])
    const own = await send(app, { path: '/own' })
    expect([own.text, etagOf(own)]).toEqual(['a', '"v7"'])
    expect((await send(app, { path: '/own', headers: { 'if-none-match': '"v7"' } })).status).toBe(304)
  })

  it('are weak, or absent, on demand', async () => {
    expect(etagOf(await send((await start({ conditional: 'weak' })).app, { path: '/' }))).toMatch(/^W\/"/)
    expect((await send((await start({ conditional: false })).app, { path: '/' })).headers['etag']).toBe(
      undefined,
    )
  })
})

describeWeb('preconditions of a version', ({ createApp, send, it, expect }) => {
  const start = async (): Promise<{ app: App; ran: string[] }> => {
    const app = createApp()
    const ran: string[] = []
    await register(app)
    const versions = new Map([['1', 'v1']])
    const version = async (request: Request) => versions.get(String(Object(request.params).id))
    const config = { web: { version, requireVersion: true } }
    app.get('/docs/:id', { config }, () => `content ${ran.push('read')}`)
    app.put('/docs/:id', { config }, () => `saved ${ran.push('saved')}`)
    return { app, ran }
  }
  it.each([
    ['PUT', '1', { 'if-match': '"v1"' }, 200],
    ['PUT', '1', { 'if-match': '"v0", "v1"' }, 200],
    ['PUT', '1', { 'if-match': '*' }, 200],
    ['PUT', '1', { 'if-match': '"v0"' }, 412],
    ['PUT', '1', { 'if-match': 'W/"v1"' }, 412],
    ['PUT', '2', { 'if-match': '*' }, 412],
    ['PUT', '1', {}, 428],
    ['PUT', '2', { 'if-none-match': '*' }, 200],
    ['PUT', '1', { 'if-none-match': '*' }, 412],
    ['GET', '1', {}, 200],
    ['GET', '1', { 'if-none-match': '"v1"' }, 304],
    ['GET', '1', { 'if-match': '"v0"' }, 412],
  ] as const)(
    'decide before the handler runs: %s /docs/%s with %j is a %i',
    async (method, id, headers, status) => {
      const { app, ran } = await start()
      const received = await send(app, { method, path: `/docs/${id}`, headers })
      expect([received.status, ran.length]).toEqual([status, status === 200 ? 1 : 0])
      if (status === 304) expect(etagOf(received)).toBe('"v1"')
    },
  )
})

describeWeb('compression', ({ createApp, send, it, expect }) => {
  const start = async (compress: unknown = true): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, { compress })
    app.get('/long', () => LONG)
    app.get('/json', () => JSON.parse(LONG) as unknown)
    app.get('/short', () => 'short')
    app.get('/larger', () => LONG.repeat(10))
    app.get('/stream', (_request: Request, reply: Reply) =>
      reply.type('text/plain').send(Readable.from([LONG, LONG])),
    )
    app.get('/events', (_request: Request, reply: Reply) =>
      reply.type('text/event-stream').send(Readable.from([`data: ${LONG}\n\n`])),
    )
    app.get('/image', (_request: Request, reply: Reply) => reply.type('image/png').send(Buffer.alloc(5000)))
    app.get('/fixed', (_request: Request, reply: Reply) =>
      reply.header('cache-control', 'no-transform').send(LONG),
    )
    app.get('/coded', (_request: Request, reply: Reply) =>
      reply.type('text/plain').header('content-encoding', 'br').send(brotliCompressSync(LONG)),
    )
    return { app }
  }
  const codingOf = async (app: App, path: string, field: string, more: Record<string, string> = {}) =>
    (await send(app, { path, headers: { 'accept-encoding': field, ...more } })).headers['content-encoding']

  it('chooses the coding that the client prefers, and none that it refuses', async () => {
    const { app } = await start({ codings: ['br', 'gzip'] })
    const cases: readonly (readonly [field: string, coding: string | undefined])[] = [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['X-GZIP', 'gzip'],
      ['br;q=0.5, gzip;q=0.9', 'gzip'],
      ['br;q=0, *', 'gzip'],
      ['identity, gzip;q=0.5', undefined],
      ['gzip;q=0', undefined],
      ['deflate', undefined],
      ['', undefined],
    ]
    for (const [field, coding] of cases)
      expect([field, await codingOf(app, '/long', field)]).toEqual([field, coding])
  })

  it('keeps the content of texts, values and streams', async () => {
    const { app } = await start({ codings: ['br', 'gzip'] })
    const get = async (path: string, coding: string) =>
      (await send(app, { path, headers: { 'accept-encoding': coding } })).bytes
    expect(brotliDecompressSync(await get('/long', 'br')).toString()).toBe(LONG)
    expect(gunzipSync(await get('/json', 'gzip')).toString()).toBe(LONG)
    expect(gunzipSync(await get('/larger', 'gzip')).toString()).toBe(LONG.repeat(10))
    expect(gunzipSync(await get('/stream', 'gzip')).toString()).toBe(LONG + LONG)
  })

  it('sends an error that a client can read where a stream fails before its first byte', async () => {
    const { app } = await start({ codings: ['gzip'] })
    app.get('/failing', (_request: Request, reply: Reply) =>
      reply.type('text/plain').send(
        new Readable({
          read() {
            this.destroy(new Error('broken'))
          },
        }),
      ),
    )
    const response = await send(app, { path: '/failing', headers: { 'accept-encoding': 'gzip' } })
    expect([response.status, response.headers['content-encoding']]).toEqual([500, undefined])
    expect(response.json()).toMatchObject({ message: 'broken' })
  })

  it('leaves short, coded, fixed and compressed content as it is', async () => {
    const { app } = await start()
    for (const path of ['/short', '/image', '/fixed', '/events'])
      expect(await codingOf(app, path, 'gzip')).toBe(undefined)
    expect(await codingOf(app, '/coded', 'gzip')).toBe('br')
    expect(await codingOf((await start(false)).app, '/long', 'gzip')).toBe(undefined)
  })

  it('names Accept-Encoding in Vary, also where it does not compress, and tags each coding', async () => {
    const { app } = await start({ codings: ['br', 'gzip'], crossSite: true })
    const plain = await send(app, { path: '/long', headers: { 'accept-encoding': 'identity' } })
    const coded = await send(app, { path: '/long', headers: { 'accept-encoding': 'br' } })
    expect([plain.headers['vary'], coded.headers['vary']]).toEqual(['Accept-Encoding', 'Accept-Encoding'])
    expect(etagOf(coded)).toBe(`${etagOf(plain).slice(0, -1)}-br"`)
    const again = await send(app, {
      path: '/long',
      headers: { 'accept-encoding': 'br', 'if-none-match': etagOf(coded) },
    })
    expect([again.status, again.headers['content-encoding']]).toEqual([304, undefined])
  })

  it('lets a client keep only what it has in a coding that it accepts, and says which with the tag', async () => {
    const app = createApp()
    await register(app, { compress: { codings: ['br', 'gzip'] } })
    app.get('/late', (_request: Request, reply: Reply) => reply.header('etag', '"v1"').send(LONG))
    app.get('/early', { config: { web: { version: () => 'v1' } } }, () => LONG)
    for (const path of ['/late', '/early']) {
      const ask = async (tags: string, coding: string): Promise<readonly unknown[]> => {
        const headers = { 'if-none-match': tags, 'accept-encoding': coding }
        const received = await send(app, { path, headers })
        return [received.status, etagOf(received), received.headers['vary']]
      }
      const vary = 'Accept-Encoding, Sec-Fetch-Site'
      expect(await ask('"v1-br", "v1-gzip"', 'gzip')).toEqual([304, '"v1-gzip"', vary])
      expect(await ask('"v1-br"', 'gzip, br;q=0.1')).toEqual([304, '"v1-br"', vary])
      expect(await ask('"v1"', 'gzip')).toEqual([304, '"v1"', vary])
      expect(await ask('"v1-br"', 'gzip')).toEqual([200, '"v1-gzip"', vary])
    }
  })

  it('tags what is compressed, whatever its method, its status and the entity tags of the app', async () => {
    const app = createApp()
    await register(app, { compress: { codings: ['br'] }, conditional: false })
    app.post('/', (_request: Request, reply: Reply) => reply.code(201).header('etag', '"v1"').send(LONG))
    app.get('/', (_request: Request, reply: Reply) => reply.header('etag', 'W/"v1"').send(LONG))
    const headers = { 'accept-encoding': 'br' }
    expect(etagOf(await send(app, { method: 'POST', path: '/', headers }))).toBe('"v1-br"')
    expect(etagOf(await send(app, { path: '/', headers }))).toBe('W/"v1-br"')
  })

  it('compresses nothing for pages of other sites whose requests carry cookies', async () => {
    const { app } = await start()
    const foreign = { cookie: 'sid=1', 'sec-fetch-site': 'cross-site' }
    expect(await codingOf(app, '/long', 'gzip', foreign)).toBe(undefined)
    expect(await codingOf(app, '/long', 'gzip', { ...foreign, 'sec-fetch-site': 'same-site' })).toBe(
      undefined,
    )
    expect(await codingOf(app, '/long', 'gzip', { cookie: 'sid=1', 'sec-fetch-site': 'same-origin' })).toBe(
      'gzip',
    )
    expect(await codingOf(app, '/long', 'gzip', { 'sec-fetch-site': 'cross-site' })).toBe('gzip')
    const { headers } = await send(app, { path: '/long', headers: { 'accept-encoding': 'gzip' } })
    expect(headers['vary']).toBe('Accept-Encoding, Sec-Fetch-Site')
    expect(await codingOf((await start({ crossSite: true })).app, '/long', 'gzip', foreign)).toBe('gzip')
  })
})

describeWeb('decompression', ({ createApp, send, it, expect }) => {
  const start = async (decompress?: unknown): Promise<{ app: App }> => {
    const app = createApp({ bodyLimit: 300_000 })
    await register(app, { decompress })
    const schema = { body: { type: 'object', required: ['a'] } }
    app.post('/', { schema }, (request: Request) => request.body)
    return { app }
  }
  const post = (app: App, body: Buffer, coding: string) =>
    send(app, {
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json', 'content-encoding': coding },
      body,
    })
  const JSON_BODY = '{"a":1}'

  it('decodes a body before it is parsed and validated', async () => {
    const { app } = await start()
    const gzip = gzipSync(JSON_BODY)
    for (const name of ['gzip', 'GZIP', 'x-gzip'])
      expect((await post(app, gzip, name)).json()).toEqual({ a: 1 })
    expect((await post(app, brotliCompressSync(JSON_BODY), 'br')).json()).toEqual({ a: 1 })
    expect((await post(app, gzipSync(brotliCompressSync(JSON_BODY)), 'br, gzip')).json()).toEqual({ a: 1 })
    expect((await post(app, Buffer.from(JSON_BODY), 'identity')).json()).toEqual({ a: 1 })
    expect((await post(app, gzipSync('{}'), 'gzip')).status).toBe(400)
  })

  it('refuses other codings with 415 and says which it reads', async () => {
    const { app } = await start({ codings: ['gzip'] })
    for (const coding of ['bogus', 'br', 'gzip, gzip, gzip']) {
      const received = await post(app, gzipSync(JSON_BODY), coding)
      expect([received.status, received.headers['accept-encoding']]).toEqual([415, 'gzip'])
      expect(received.json()).toMatchObject({ code: 'CLO_ERR_WEB_CODING' })
    }
  })

  it('decodes nothing of requests that a hook has refused', async () => {
    const app = createApp()
    await register(app)
    app.addHook('onRequest', async (_request: Request, reply: Reply) => reply.code(401).send('who are you?'))
    app.post('/', () => 'read')
    expect((await post(app, gzipSync(JSON_BODY).subarray(0, 20), 'gzip')).status).toBe(401)
  })

  it('refuses bodies that are not what their coding says', async () => {
    const { app } = await start()
    const received = await post(app, Buffer.from(JSON_BODY), 'gzip')
    expect([received.status, received.json()]).toMatchObject([400, { code: 'CLO_ERR_WEB_BODY_INVALID' }])
    expect((await post(app, gzipSync(JSON_BODY).subarray(0, 20), 'gzip')).status).toBe(400)
  })

  it('stops at the limit of bodies, and at a hundred times the bytes that came', async () => {
    const { app } = await start()
    const padded = (length: number) => `{"a":"${'x'.repeat(length)}"}`
    expect((await post(app, gzipSync(padded(400_000), { level: 0 }), 'gzip')).status).toBe(413)
    const bomb = await post(app, gzipSync(padded(250_000)), 'gzip')
    expect([bomb.status, bomb.json()]).toMatchObject([413, { code: 'CLO_ERR_WEB_BODY_TOO_LARGE' }])
    expect((await post((await start({ ratio: 10_000 })).app, gzipSync(padded(250_000)), 'gzip')).status).toBe(
      200,
    )
  })
})
