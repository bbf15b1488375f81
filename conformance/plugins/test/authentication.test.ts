import { expect, it } from 'vitest'
import { describePlugin, json, sendJson, start, type Untyped } from '../subject.ts'

const bearer = (token: string): { headers: { authorization: string } } => ({
  headers: { authorization: `Bearer ${token}` },
})

const basic = (user: string, password: string): { headers: { authorization: string } } => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
})

describePlugin('jwt', ({ use, createApp }) => {
  it('signs tokens and protects the context whose hook verifies them', async () => {
    const app = createApp()
    await app.register(use('jwt'), { secret: 'a secret of some length' })
    app.post('/login', (request: Untyped) => ({ token: app.jwt.sign({ name: request.body.name }) }))
    app.register(async (child: Untyped) => {
      child.addHook('onRequest', (request: Untyped) => request.jwtVerify())
      child.get('/me', (request: Untyped) => ({ name: request.user.name }))
    })
    const url = await start(app)
    const { token } = await json(await sendJson(`${url}/login`, 'POST', { name: 'Ada' }))
    const me = await fetch(`${url}/me`, bearer(token))
    expect(await json(me)).toEqual({ name: 'Ada' })
    const without = await fetch(`${url}/me`)
    expect(without.status).toBe(401)
    expect((await json(without)).code).toBe('FST_JWT_NO_AUTHORIZATION_IN_HEADER')
    const forged = await fetch(`${url}/me`, bearer(`${token.slice(0, -4)}AAAA`))
    expect(forged.status).toBe(401)
  })

  it('refuses an expired token, and reads tokens from a cookie through the cookie plugin', async () => {
    const app = createApp()
    await app.register(use('cookie'))
    await app.register(use('jwt'), {
      secret: 'a secret of some length',
      cookie: { cookieName: 'token', signed: false },
    })
    app.get('/login', async (_request: unknown, reply: Untyped) => {
      reply.setCookie('token', await reply.jwtSign({ name: 'Ada' }), { path: '/' })
      return { ok: true }
    })
    app.get(
      '/me',
      { onRequest: (request: Untyped) => request.jwtVerify() },
      (request: Untyped) => request.user,
    )
    const url = await start(app)
    const login = await fetch(`${url}/login`)
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const me = await fetch(`${url}/me`, { headers: { cookie } })
    expect(await json(me)).toMatchObject({ name: 'Ada' })
    const expired = app.jwt.sign({ name: 'Ada', iat: 1_000_000 }, { expiresIn: 10 })
    const late = await fetch(`${url}/me`, bearer(expired))
    expect(late.status).toBe(401)
    expect((await json(late)).code).toBe('FST_JWT_AUTHORIZATION_TOKEN_EXPIRED')
  })

  it('keeps namespaces apart', async () => {
    const app = createApp()
    await app.register(use('jwt'), { secret: 'first secret of the two', namespace: 'first' })
    await app.register(use('jwt'), { secret: 'second secret of the two', namespace: 'second' })
    app.get('/', { onRequest: (request: Untyped) => request.firstJwtVerify() }, () => ({ ok: true }))
    const url = await start(app)
    expect((await fetch(url, bearer(app.jwt.first.sign({ a: 1 })))).status).toBe(200)
    expect((await fetch(url, bearer(app.jwt.second.sign({ a: 1 })))).status).toBe(401)
  })
})

describePlugin('bearer-auth', ({ use, createApp }) => {
  it('protects its context and nothing beside it', async () => {
    const app = createApp()
    app.get('/open', () => ({ open: true }))
    app.register(async (child: Untyped) => {
      await child.register(use('bearer-auth'), { keys: new Set(['right-key']) })
      child.get('/closed', () => ({ open: false }))
    })
    const url = await start(app)
    expect((await fetch(`${url}/open`)).status).toBe(200)
    const without = await fetch(`${url}/closed`)
    expect(without.status).toBe(401)
    expect(await json(without)).toHaveProperty('error', 'missing authorization header')
    expect((await fetch(`${url}/closed`, bearer('wrong-key'))).status).toBe(401)
    expect(await (await fetch(`${url}/closed`, bearer('right-key'))).json()).toEqual({ open: false })
  })

  it('asks a function of the application', async () => {
    const app = createApp()
    await app.register(use('bearer-auth'), {
      keys: [],
      auth: (key: string, request: Untyped) => Promise.resolve(key === `for ${request.url}`),
    })
    app.get('/a', () => ({ ok: true }))
    const url = await start(app)
    expect((await fetch(`${url}/a`, bearer('for /a'))).status).toBe(200)
    expect((await fetch(`${url}/a`, bearer('for /b'))).status).toBe(401)
  })
})

describePlugin('basic-auth', ({ use, createApp }) => {
  it('challenges, and lets the right name and password through', async () => {
    const app = createApp()
    await app.register(use('basic-auth'), {
      validate: async (name: string, password: string) => {
        if (name !== 'ada' || password !== 'pass:word') throw new Error('Who are you?')
      },
      authenticate: { realm: 'Library' },
    })
    app.after(() => {
      app.addHook('onRequest', app.basicAuth)
      app.get('/', () => ({ ok: true }))
    })
    const url = await start(app)
    const without = await fetch(url)
    expect(without.status).toBe(401)
    expect(without.headers.get('www-authenticate')).toContain('Basic realm="Library"')
    const wrong = await fetch(url, basic('ada', 'wrong'))
    expect(wrong.status).toBe(401)
    expect((await json(wrong)).message).toBe('Who are you?')
    expect(await (await fetch(url, basic('ada', 'pass:word'))).json()).toEqual({ ok: true })
  })
})

describePlugin('auth', ({ use, createApp }) => {
  const needs = (header: string) => (request: Untyped, _reply: unknown, done: (error?: Error) => void) => {
    if (request.headers[header] === 'yes') done()
    else done(Object.assign(new Error(`no ${header}`), { statusCode: 403 }))
  }

  it('joins strategies by or, by and, and in groups', async () => {
    const app = createApp()
    await app.register(use('auth'))
    app.decorate('verifyA', needs('x-a'))
    app.decorate('verifyB', needs('x-b'))
    app.after(() => {
      app.get('/or', { preHandler: app.auth([app.verifyA, app.verifyB]) }, () => ({ ok: true }))
      app.get('/and', { preHandler: app.auth([app.verifyA, app.verifyB], { relation: 'and' }) }, () => ({
        ok: true,
      }))
      app.get('/group', { preHandler: app.auth([[app.verifyA, app.verifyB], needs('x-c')]) }, () => ({
        ok: true,
      }))
    })
    const url = await start(app)
    const status = async (path: string, ...names: string[]): Promise<number> =>
      (await fetch(`${url}${path}`, { headers: Object.fromEntries(names.map((name) => [name, 'yes'])) }))
        .status
    expect(await status('/or')).toBe(403)
    expect(await status('/or', 'x-b')).toBe(200)
    expect(await status('/and', 'x-b')).toBe(403)
    expect(await status('/and', 'x-a', 'x-b')).toBe(200)
    expect(await status('/group', 'x-a')).toBe(403)
    expect(await status('/group', 'x-a', 'x-b')).toBe(200)
    expect(await status('/group', 'x-c')).toBe(200)
  })

  it('works together with the bearer and basic strategies', async () => {
    const app = createApp()
    await app.register(use('auth'))
    await app.register(use('basic-auth'), {
      validate: async (name: string) => {
        if (name !== 'ada') throw new Error('unknown')
      },
    })
    await app.register(use('bearer-auth'), { keys: ['key'], addHook: false })
    app.get('/', { preHandler: app.auth([app.basicAuth, app.verifyBearerAuth]) }, () => ({ ok: true }))
    const url = await start(app)
    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, basic('ada', ''))).status).toBe(200)
    expect((await fetch(url, bearer('key'))).status).toBe(200)
  })
})
