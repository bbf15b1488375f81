// Security headers, and limits of requests.
import { MemoryStore } from '@cloister/web'
import { describe, expect, it } from 'vitest'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { useApps } from '../harness/transports.ts'
import { callReply, describeWeb, register } from './web-app.ts'

describeWeb('security headers', ({ createApp, send, it, expect }) => {
  const start = async (options: object = {}): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, options)
    app.get('/', (_request: Request, reply: Reply) => {
      const nonce = callReply(reply, 'cspNonce')
      return reply.type('text/html').send(`<script nonce="${String(nonce)}"></script>`)
    })
    app.get('/plain', () => 'plain')
    return { app }
  }

  it('of an API are on every response', async () => {
    const { app } = await start()
    for (const path of ['/plain', '/nowhere'])
      expect((await send(app, { path })).headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
      })
  })

  it('can be changed by name, also by a hook or handler', async () => {
    const { app } = await start({
      headers: { 'Referrer-Policy': 'same-origin', 'x-content-type-options': false },
    })
    app.get('/own', (_request: Request, reply: Reply) =>
      reply.header('referrer-policy', 'origin').send('own'),
    )
    const { headers } = await send(app, { path: '/plain' })
    expect([headers['referrer-policy'], headers['x-content-type-options']]).toEqual([
      'same-origin',
      undefined,
    ])
    expect((await send(app, { path: '/own' })).headers['referrer-policy']).toBe('origin')
    expect(
      (await send((await start({ headers: false })).app, { path: '/plain' })).headers['referrer-policy'],
    ).toBe(undefined)
  })

  it('of pages have the nonce of the page', async () => {
    const response = await send((await start({ headers: 'html' })).app, { path: '/' })
    const [, nonce = ''] = /nonce="([^"]+)"/.exec(response.text) ?? []
    expect(nonce.length).toBeGreaterThan(20)
    const policy = String(response.headers['content-security-policy'])
    expect(policy).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(policy).toContain(`style-src 'self' https: 'nonce-${nonce}'`)
  })

  it('keep responses to requests with credentials out of caches', async () => {
    const { app } = await start()
    const withToken = await send(app, { path: '/plain', headers: { authorization: 'Bearer x' } })
    expect(withToken.headers['cache-control']).toBe('no-store')
    // A guard may have read the cookie of a route whose schema declares none.
    const withCookie = await send(app, { path: '/plain', headers: { cookie: 'sid=x' } })
    expect(withCookie.headers['cache-control']).toBe('no-store')
    expect((await send(app, { path: '/plain' })).headers['cache-control']).toBe(undefined)
  })
})

describeWeb('deprecated routes', ({ createApp, send, it, expect }) => {
  const start = async (deprecated: unknown): Promise<{ app: App }> => {
    const app = createApp()
    await register(app)
    app.get('/old', { schema: { deprecated } }, () => 'old')
    app.get('/new', () => 'new')
    return { app }
  }

  it('say since when, until when, and where to read on', async () => {
    const { app } = await start({
      since: '2026-01-02',
      until: new Date('2027-01-02'),
      link: 'https://a.example/new',
    })
    expect((await send(app, { path: '/old' })).headers).toMatchObject({
      deprecation: '@1767312000',
      sunset: 'Sat, 02 Jan 2027 00:00:00 GMT',
      link: '<https://a.example/new>; rel="deprecation"; type="text/html"',
    })
    expect((await send(app, { path: '/new' })).headers['deprecation']).toBe(undefined)
    expect((await send((await start(true)).app, { path: '/old' })).headers['deprecation']).toBe(undefined)
  })

  it('with dates that are none end the boot', async () => {
    await expect(start({ since: 'soon' })).rejects.toThrow(/schema\.deprecated\.since.*GET \/old/)
    await expect(start({ since: '2026-01-02', until: '2026-01-01' })).rejects.toThrow(/after 'since'/)
  })
})

describeWeb('limits of requests', ({ createApp, send, it, expect }) => {
  const start = async (limit: object): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, { limit, origins: ['https://shop.example'] })
    app.get('/', () => 'ok')
    app.get('/dear', { web: { limit: { max: 1, per: '1h' } } }, () => 'ok')
    app.get('/free', { web: { limit: false } }, () => 'ok')
    return { app }
  }
  const statuses = async (app: App, ...paths: readonly string[]): Promise<number[]> => {
    const found: number[] = []
    for (const path of paths) found.push((await send(app, { path })).status)
    return found
  }

  it('refuse further ones with 429 and Retry-After, unknown paths too', async () => {
    const { app } = await start({ max: 2, per: '1h', fields: true })
    expect(await statuses(app, '/', '/nowhere', '/', '/nowhere')).toEqual([200, 404, 429, 429])
    const refused = await send(app, { path: '/', headers: { origin: 'https://shop.example' } })
    expect(refused.json()).toMatchObject({ code: 'CLO_ERR_WEB_LIMIT' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1700)
    expect(refused.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'ratelimit-policy': '"app";q=2;w=3600',
      ratelimit: expect.stringMatching(/^"app";r=0;t=\d+$/),
    })
  })

  it('name their group as a text of a structured field, whatever it is', async () => {
    const names = { 'a "b" \\c': String.raw`"a \"b\" \\c"`, 'caf\u00e9\n\ud800': '"caf%C3%A9%0A%EF%BF%BD"' }
    for (const [group, name] of Object.entries(names)) {
      const { app } = await start({ max: 2, per: '1h', fields: true, group })
      expect((await send(app, { path: '/' })).headers).toMatchObject({
        'ratelimit-policy': `${name};q=2;w=3600`,
        ratelimit: expect.stringMatching(/;r=1;t=\d+$/),
      })
    }
  })

  it('are apart for routes with a limit of their own, and off for others', async () => {
    const { app } = await start({ max: 1, per: '1h' })
    expect(await statuses(app, '/', '/dear', '/dear', '/', '/free', '/free')).toEqual([
      200, 200, 429, 429, 200, 200,
    ])
  })

  it('count HEAD with GET', async () => {
    for (const path of ['/', '/dear']) {
      const { app } = await start({ max: 1, per: '1h' })
      expect((await send(app, { path })).status).toBe(200)
      expect((await send(app, { path, method: 'HEAD' })).status).toBe(429)
    }
  })

  it('allow or refuse all while the store fails', async () => {
    const store = { take: async () => Promise.reject(new Error('the store is away')) }
    const options = { max: 1, per: '1h', store }
    expect(await statuses((await start(options)).app, '/', '/')).toEqual([200, 200])
    expect(await statuses((await start({ ...options, onStoreFailure: 'refuse' })).app, '/')).toEqual([503])
  })

  it('count by a function', async () => {
    const { app } = await start({ max: 1, per: '1h', by: ({ headers }: Request) => headers['x-user'] })
    const get = async (user: string) => (await send(app, { path: '/', headers: { 'x-user': user } })).status
    expect([await get('ada'), await get('bob'), await get('ada')]).toEqual([200, 200, 429])
    expect(await statuses(app, '/', '/')).toEqual([200, 200])
  })

  it('are an error of the app where the function gives a key that all clients share', async () => {
    for (const by of [async () => 'ada', () => ({ name: 'ada' })]) {
      const { app } = await start({ max: 1, per: '1h', by })
      expect((await send(app, { path: '/' })).json()).toMatchObject({ code: 'CLO_ERR_WEB_OPTION' })
    }
  })

  it('wait for a store whose results are thenables', async () => {
    let count = 0
    const take = () => ({
      then: (done: (state: object) => void) => done({ allowed: ++count < 2, remaining: 0, resetMs: 1000 }),
    })
    const { app } = await start({ max: 1, per: '1h', store: { take } })
    expect(await statuses(app, '/', '/')).toEqual([200, 429])
  })
})

describe('limits by address', () => {
  const createApp = useApps()

  it('are for an IPv4 address, in either spelling, or the /64 network of an IPv6 address', async () => {
    const app = createApp({ trustProxy: true })
    await register(app, { limit: { max: 1, per: '1h' } })
    app.get('/', () => 'ok')
    const groups = [
      ['192.0.2.1', '::ffff:192.0.2.1'],
      ['192.0.2.2'],
      ['2001:db8:0:1::1', '2001:0DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8::1:0:0:0:2'],
      ['2001:db8:0:2::1', '2001:db8:0:2::'],
      ['::1', '::2'],
      ['fe80::1%eth0', 'fe80::2%eth1'],
    ]
    for (const group of groups)
      for (const [index, address] of group.entries()) {
        const { statusCode, headers } = await app.inject({ url: '/', remoteAddress: address })
        expect([address, statusCode]).toEqual([address, index === 0 ? 200 : 429])
        expect(headers['ratelimit']).toBe(undefined)
      }
  })
})

describe('the store in memory', () => {
  it('gives requests back evenly, and never more than the limit', () => {
    let now = 0
    const store = new MemoryStore(() => now)
    const rule = { max: 4, perMs: 1000 }
    const take = () => store.take('a', 1, rule).allowed
    expect([take(), take(), take(), take(), take()]).toEqual([true, true, true, true, false])
    now = 250
    expect([take(), take()]).toEqual([true, false])
    now = 10_000
    expect([take(), take(), take(), take(), take()]).toEqual([true, true, true, true, false])
    expect(store.take('a', 1, rule).resetMs).toBe(250)
  })

  it('allows at most max + time/each requests, whenever they come', () => {
    let now = 0
    let random = 7
    const store = new MemoryStore(() => now)
    const rule = { max: 7, perMs: 1000 }
    let allowed = 0
    for (let index = 0; index < 20_000; index++) {
      random = (random * 48_271) % 2_147_483_647
      now += random % 90
      if (store.take('a', 1, rule).allowed) allowed++
      expect(allowed).toBeLessThanOrEqual(7 + (now * 7) / 1000 + 1)
    }
    expect(allowed).toBeGreaterThan((now * 7) / 1000 / 2)
  })

  it('keeps a bounded number of clients', () => {
    const store = new MemoryStore(() => 0, 100)
    const rule = { max: 1, perMs: 1000 }
    for (let index = 0; index < 1000; index++) store.take(String(index), 1, rule)
    expect(store.take('999', 1, rule).allowed).toBe(false)
    expect(store.take('0', 1, rule).allowed).toBe(true)
  })
})

describeWeb('parts of a route', ({ createApp, send, it, expect }) => {
  it.each(['headers', 'cors', 'csrf', 'conditional', 'compress', 'decompress', 'limit'])(
    'that are undefined are those of the app: %s',
    async (part) => {
      const app = createApp()
      await register(app, {
        origins: ['https://shop.example'],
        headers: 'html',
        cors: { credentials: true },
        csrf: false,
        conditional: 'weak',
        compress: { above: 1 },
        decompress: false,
        limit: {
          max: 2,
          per: '1h',
          fields: true,
          by: (request: Request) => String(request.headers['x-user']),
        },
      })
      const handler = (): string => 'x'.repeat(100)
      app.post('/with', { web: { [part]: undefined } }, handler)
      app.post('/without', handler)
      app.get('/with', { web: { [part]: undefined } }, handler)
      app.get('/without', handler)
      const seen = async (path: string): Promise<unknown[]> => {
        const headers = {
          origin: 'https://shop.example',
          'sec-fetch-site': 'cross-site',
          'accept-encoding': 'gzip',
          'content-encoding': 'gzip',
          'content-type': 'text/plain',
          'x-user': path,
        }
        const requests = [
          { path, headers },
          { path, headers, method: 'POST', body: 'x' },
          { path, headers },
        ]
        const found: unknown[] = []
        for (const one of requests) {
          const { status, headers: got } = await send(app, one)
          const { date: _, ratelimit: __, ...fields } = got
          found.push([status, fields])
        }
        return found
      }
      expect(await seen('/with')).toEqual(await seen('/without'))
    },
  )
})
