// Pages of other origins: who may read, and who may change something.
import { describe, expect, it } from 'vitest'
import type { App, Plugin, Reply, Request } from '../harness/app-shape.ts'
import { useApps } from '../harness/transports.ts'
import { describeWeb, register } from './web-app.ts'

const SHOP = 'https://shop.example'
const origins = [SHOP, 'https://*.preview.shop.example', /^https:\/\/[a-z]+\.partner\.example$/]

describeWeb('CORS', ({ createApp, send, it, expect }) => {
  const start = async (
    cors: object = {},
    list: readonly (string | RegExp)[] = origins,
  ): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, { origins: list, cors })
    app.get('/books', () => 'books')
    app.put('/books', () => 'put')
    app.get('/broken', () => {
      throw new Error('broken')
    })
    app.get('/varied', (_request: Request, reply: Reply) => reply.header('vary', 'Accept').send('varied'))
    return { app }
  }
  const get = async (app: App, origin: string, path = '/books') =>
    (await send(app, { path, headers: { origin } })).headers

  it('lets pages of listed origins read, and no others', async () => {
    const { app } = await start()
    for (const origin of [
      SHOP,
      'https://a.preview.shop.example',
      'https://a.b.preview.shop.example',
      'https://big.partner.example',
    ])
      expect(await get(app, origin)).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
    const others = [
      'https://shop.example.evil.test',
      'http://shop.example',
      'https://preview.shop.example',
      'https://evilpreview.shop.example',
      'https://a/.preview.shop.example',
      'https://a.partner.example.evil.test',
      'null',
    ]
    for (const origin of others) {
      const headers = await get(app, origin)
      expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([undefined, 'Origin'])
      expect(headers['access-control-allow-credentials']).toBe(undefined)
    }
  })

  it('names Origin in Vary on every response, beside what the app names', async () => {
    const { app } = await start()
    expect((await send(app, { path: '/books' })).headers['vary']).toBe('Origin')
    expect(await get(app, SHOP, '/varied')).toMatchObject({ vary: 'Accept, Origin' })
    expect(await get(app, SHOP, '/broken')).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': SHOP,
    })
    expect(await get(app, SHOP, '/nowhere')).toMatchObject({
      vary: 'Origin',
      'access-control-allow-origin': SHOP,
    })
  })

  it('responds to a preflight with the methods of the path and the headers that it asks for', async () => {
    const { app } = await start({ credentials: true, maxAge: 60 })
    const headers = {
      origin: SHOP,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-a, X-B, b@d',
    }
    const response = await send(app, { method: 'OPTIONS', path: '/books', headers })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': SHOP,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, PUT',
      'access-control-allow-headers': 'x-a, X-B',
      'access-control-max-age': '60',
      vary: 'Origin, Access-Control-Request-Headers',
    })
  })

  it('leaves a preflight of an unknown path, and a plain OPTIONS, to the not-found handler', async () => {
    const { app } = await start()
    const headers = { origin: SHOP, 'access-control-request-method': 'DELETE' }
    const unknown = await send(app, { method: 'OPTIONS', path: '/nowhere', headers })
    expect([unknown.status, unknown.headers['access-control-allow-origin']]).toEqual([404, SHOP])
    expect((await send(app, { method: 'OPTIONS', path: '/books', headers: { origin: SHOP } })).status).toBe(
      404,
    )
  })

  it('gives no fields to a preflight of another origin', async () => {
    const headers = { origin: 'https://evil.test', 'access-control-request-method': 'PUT' }
    const response = await send((await start()).app, { method: 'OPTIONS', path: '/books', headers })
    expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(response.headers['vary']).toBe('Origin')
  })

  it('runs before hooks that ask for credentials, and uses the options of the route', async () => {
    const { app } = await start()
    app.register(async (child) => {
      child.addHook('onRequest', async (_request: Request, reply: Reply) => reply.code(401).send('sign in'))
      child.get('/account', { web: { cors: { credentials: true } } }, () => 'account')
    })
    const headers = { origin: SHOP, 'access-control-request-method': 'GET' }
    const preflight = await send(app, { method: 'OPTIONS', path: '/account', headers })
    expect([preflight.status, preflight.headers['access-control-allow-credentials']]).toEqual([204, 'true'])
    const refused = await send(app, { path: '/account', headers: { origin: SHOP } })
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, SHOP])
  })

  it('lets pages without an origin read only where null is listed', async () => {
    for (const listed of [[], ['null']]) {
      const app = createApp()
      await register(app, { origins: [...listed, SHOP] })
      app.get('/', () => 'read')
      const { headers } = await send(app, { path: '/', headers: { origin: 'null' } })
      expect(headers['access-control-allow-origin']).toBe(listed[0])
      expect(headers['access-control-allow-credentials']).toBe(undefined)
    }
  })

  it('sends * without looking at the origin', async () => {
    const { app } = await start({ origin: '*' }, [])
    const { headers } = await send(app, { path: '/books' })
    expect([headers['access-control-allow-origin'], headers['vary']]).toEqual(['*', undefined])
  })

  const admits = (origin: string): boolean => origin.endsWith('.test')
  const functions: Record<string, (origin: string) => unknown> = {
    'decides at once': admits,
    'returns a promise': async (origin) => admits(origin),
    'returns a thenable': (origin) => ({ then: (done: (value: boolean) => void) => done(admits(origin)) }),
    'returns nothing for a refused origin': (origin) => (admits(origin) ? true : undefined),
  }
  for (const [title, origin] of Object.entries(functions)) {
    it(`asks a function that ${title}`, async () => {
      const { app } = await start({ origin })
      expect(await get(app, 'https://a.test')).toMatchObject({
        'access-control-allow-origin': 'https://a.test',
      })
      expect((await get(app, SHOP))['access-control-allow-origin']).toBe(undefined)
    })
  }
})

describe('the plugin', () => {
  const createApp = useApps()

  it('is loaded before routes are defined, or the app does not start', async () => {
    const app = createApp()
    void register(app).catch(() => {})
    app.get('/early', () => 'early')
    await expect(app.ready()).rejects.toThrow(/GET \/early \(.*cors\.test\.ts:\d+\b.*\) was defined before/)
  })

  it('refuses a plugin that does the same work', async () => {
    const app = createApp()
    await register(app)
    const cors = Object.assign(async () => {}, {
      [Symbol.for('skip-override')]: true,
      [Symbol.for('fastify.display-name')]: '@fastify/cors',
    })
    void app.register(cors)
    await expect(app.ready()).rejects.toThrow(
      /'@fastify\/cors' \(registered at .*cors\.test\.ts:\d+\).*remove '@fastify\/cors'/,
    )
  })

  it.each([
    '@fastify/cors',
    '@fastify/helmet',
    '@fastify/cookie',
    '@fastify/compress',
    '@fastify/rate-limit',
  ])('refuses %s, before it and in a context below, with the line that registers it', async (name) => {
    const { default: peer }: { default: Plugin } = await import(name)
    const message = new RegExp(`'${name}' \\(registered at .*cors\\.test\\.ts:\\d+\\)`)
    const before = createApp()
    await before.register(peer)
    await expect(register(before)).rejects.toThrow(message)
    const below = createApp()
    await register(below)
    below.register(async (child: App) => void child.register(peer))
    await expect(below.ready()).rejects.toThrow(message)
  })
})

describe('CORS options', () => {
  const createApp = useApps()
  it.each([
    [{ cors: { origin: '*', credentials: true } }, /'\*' is not possible with cors.credentials/],
    [{ origins: ['null'], cors: { credentials: true } }, /'null' is not possible/],
    [{ origins: ['https://shop.example/'] }, /origins\[0\].*'https:\/\/shop\.example'/],
    [{ origins: ['shop.example'] }, /origins\[0\]/],
    [{ origins: ['https://SHOP.example'] }, /origins\[0\]/],
    [{ origins: ['https://shop.*'] }, /left-most/],
    [{ origins: [/shop\.example/] }, /from '\^' to '\$'/],
    [{ origins: [/^https:\/\/a\.example|b\.example$/] }, /from '\^' to '\$'/],
    [{ cors: { methods: ['GET, PUT'] } }, /cors\.methods/],
    [{ cors: { maxage: 1 } }, /no option 'cors\.maxage', only .*maxAge/],
    [{ headers: { 'x-a': 'b\r\nx-c: d' } }, /x-a/],
    [{ headers: { 'content-length': '1' } }, /decided by the transport/],
    [{ limit: { max: 1, per: '1 fortnight' } }, /limit\.per/],
    [{ cookies: { keys: ['short'] } }, /cookies\.keys\[0\]/],
    [{ helmet: true }, /no option 'helmet', only headers/],
    [{ cors: { origin: [SHOP] } }, /the origins of the option 'origins'/],
  ])('that are wrong end the boot: %j', async (options, message) => {
    const app = createApp()
    await expect(register(app, options as never)).rejects.toThrow(message)
  })
})

describeWeb('protection from requests of other sites', ({ createApp, send, it, expect }) => {
  const start = async (options: object = {}): Promise<{ app: App }> => {
    const app = createApp()
    await register(app, { origins, ...options })
    app.get('/', () => 'read')
    app.post('/', () => 'changed')
    return { app }
  }
  // The table of Go's CrossOriginProtection, with the origins of this app.
  it.each([
    ['POST', {}, 200],
    ['GET', { 'sec-fetch-site': 'cross-site' }, 200],
    ['POST', { 'sec-fetch-site': 'same-origin' }, 200],
    ['POST', { 'sec-fetch-site': 'none' }, 200],
    ['POST', { 'sec-fetch-site': 'same-site' }, 403],
    ['POST', { 'sec-fetch-site': 'cross-site' }, 403],
    ['POST', { 'sec-fetch-site': 'nonsense' }, 403],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: SHOP }, 200],
    ['POST', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }, 403],
    ['POST', { origin: 'https://evil.test' }, 403],
    ['POST', { origin: 'null' }, 403],
    ['POST', { origin: SHOP }, 200],
  ] as const)('%s with %j is a %i', async (method, headers, status) => {
    const response = await send((await start()).app, { method, path: '/', headers })
    expect(response.status).toBe(status)
    if (status === 403) expect(response.json()).toMatchObject({ code: 'CLO_ERR_WEB_CROSS_ORIGIN' })
  })

  it('takes requests of older browsers from its own pages, by the scheme and host that the proxy names', async () => {
    const app = createApp({ trustProxy: true })
    await register(app)
    app.post('/', () => 'changed')
    const ask = async (origin: string): Promise<number> => {
      const headers = { origin, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example' }
      return (await send(app, { method: 'POST', path: '/', headers })).status
    }
    expect(await ask('https://api.example')).toBe(200)
    for (const origin of ['http://api.example', 'https://api.example:8443', 'https://x.api.example'])
      expect([origin, await ask(origin)]).toEqual([origin, 403])
  })

  it('trusts more origins, or is off', async () => {
    const headers = { origin: 'https://pay.example' }
    const trusting = (await start({ csrf: { trust: ['https://pay.example'] } })).app
    expect((await send(trusting, { method: 'POST', path: '/', headers })).status).toBe(200)
    expect(
      (await send((await start({ csrf: false })).app, { method: 'POST', path: '/', headers })).status,
    ).toBe(200)
  })
})
