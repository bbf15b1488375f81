import { expect, it } from 'vitest'
import { describePlugin, json, start, type Untyped } from '../subject.ts'

describePlugin('cors', ({ use, createApp }) => {
  it('responds to a preflight with the allowed methods, headers and age, and runs no handler', async () => {
    const app = createApp()
    await app.register(use('cors'), {
      origin: ['https://shop.example'],
      methods: ['GET', 'PUT'],
      allowedHeaders: ['x-token'],
      credentials: true,
      maxAge: 600,
    })
    let ran = false
    app.put('/things', () => {
      ran = true
      return {}
    })
    const url = await start(app)
    const response = await fetch(`${url}/things`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, PUT')
    expect(response.headers.get('access-control-allow-headers')).toBe('x-token')
    expect(response.headers.get('access-control-allow-credentials')).toBe('true')
    expect(response.headers.get('access-control-max-age')).toBe('600')
    expect(ran).toBe(false)
  })

  it('marks responses for an allowed origin, also errors and unknown routes, and varies by origin', async () => {
    const app = createApp()
    await app.register(use('cors'), { origin: /\.example$/, exposedHeaders: ['x-total'] })
    app.get('/broken', () => {
      throw new Error('broken')
    })
    const url = await start(app)
    for (const [path, status] of [
      ['/broken', 500],
      ['/nowhere', 404],
    ] as const) {
      const response = await fetch(`${url}${path}`, { headers: { origin: 'https://a.example' } })
      expect(response.status).toBe(status)
      expect(response.headers.get('access-control-allow-origin')).toBe('https://a.example')
      expect(response.headers.get('access-control-expose-headers')).toBe('x-total')
      expect(response.headers.get('vary')).toBe('Origin')
    }
  })

  it('omits the header for a foreign origin', async () => {
    const app = createApp()
    await app.register(use('cors'), { origin: ['https://shop.example'] })
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    const response = await fetch(url, { headers: { origin: 'https://evil.example' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  })

  it('asks a function for the options of each request', async () => {
    const app = createApp()
    await app.register(use('cors'), () => (request: { headers: { origin?: string } }, done: Untyped) => {
      done(null, { origin: request.headers.origin?.startsWith('https:') ?? false })
    })
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    const safe = await fetch(url, { headers: { origin: 'https://a.example' } })
    const unsafe = await fetch(url, { headers: { origin: 'http://a.example' } })
    expect(safe.headers.get('access-control-allow-origin')).toBe('https://a.example')
    expect(unsafe.headers.get('access-control-allow-origin')).toBe(null)
  })
})

describePlugin('helmet', ({ use, createApp }) => {
  it('sets the security headers on every response', async () => {
    const app = createApp()
    await app.register(use('helmet'))
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    for (const path of ['/', '/nowhere']) {
      const { headers } = await fetch(`${url}${path}`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('strict-transport-security')).toContain('includeSubDomains')
      expect(headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    }
  })

  it('takes other settings for one route, and switches off for another', async () => {
    const app = createApp()
    await app.register(use('helmet'), { global: true })
    app.get('/framed', { helmet: { frameguard: { action: 'deny' } } }, () => ({ ok: true }))
    app.get('/bare', { helmet: false }, () => ({ ok: true }))
    const url = await start(app)
    expect((await fetch(`${url}/framed`)).headers.get('x-frame-options')).toBe('DENY')
    expect((await fetch(`${url}/bare`)).headers.get('x-frame-options')).toBe(null)
  })

  it('gives each reply nonces that its policy names', async () => {
    const app = createApp()
    await app.register(use('helmet'), { enableCSPNonces: true })
    app.get('/', (_request: unknown, reply: Untyped) => ({ nonce: reply.cspNonce.script }))
    const url = await start(app)
    const response = await fetch(url)
    const { nonce } = await json(response)
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
    expect(response.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`)
  })
})

describePlugin('etag', ({ use, createApp }) => {
  it('tags a response by its content and responds with 304 when the client has it', async () => {
    const app = createApp()
    await app.register(use('etag'))
    app.get('/', () => ({ hello: 'world' }))
    const url = await start(app)
    const first = await fetch(url)
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"[^"]+"$/)
    const second = await fetch(url, { headers: { 'if-none-match': tag } })
    expect(second.status).toBe(304)
    expect(await second.text()).toBe('')
  })

  it('marks tags as weak with the option, and keeps a tag that the handler set', async () => {
    const app = createApp()
    await app.register(use('etag'), { weak: true })
    app.get('/weak', () => 'text')
    app.get('/own', (_request: unknown, reply: Untyped) => reply.header('etag', '"mine"').send('x'))
    const url = await start(app)
    expect((await fetch(`${url}/weak`)).headers.get('etag')).toMatch(/^W\/"/)
    const own = await fetch(`${url}/own`, { headers: { 'if-none-match': '"mine"' } })
    expect(own.status).toBe(304)
  })
})

describePlugin('caching', ({ use, createApp }) => {
  it('sets the cache headers of a context', async () => {
    const app = createApp()
    await app.register(use('caching'), { privacy: 'private', expiresIn: 300 })
    app.get('/', () => ({ ok: true }))
    const url = await start(app)
    expect((await fetch(url)).headers.get('cache-control')).toBe('private, max-age=300')
  })

  it('gives replies expires() and etag(), and responds with 304 to a known tag', async () => {
    const app = createApp()
    await app.register(use('caching'))
    app.get('/', (_request: unknown, reply: Untyped) => {
      reply.etag('abc').expires(new Date('2030-01-01T00:00:00Z')).send({ ok: true })
    })
    const url = await start(app)
    const first = await fetch(url)
    expect(first.headers.get('etag')).toBe('abc')
    expect(first.headers.get('expires')).toBe('Tue, 01 Jan 2030 00:00:00 GMT')
    expect((await fetch(url, { headers: { 'if-none-match': 'abc' } })).status).toBe(304)
  })
})

describePlugin('accepts', ({ use, createApp }) => {
  it('negotiates type, encoding and language on requests and replies', async () => {
    const app = createApp()
    await app.register(use('accepts'), { decorateReply: true })
    app.get('/', (request: Untyped, reply: Untyped) => ({
      type: request.accepts().type(['json', 'html']),
      languages: request.languages(),
      fromReply: reply.requestAccepts().type(['text']),
    }))
    const url = await start(app)
    const response = await fetch(url, { headers: { accept: 'text/html', 'accept-language': 'en;q=0.8, de' } })
    expect(await json(response)).toEqual({ type: 'html', languages: ['de', 'en'], fromReply: false })
  })
})
