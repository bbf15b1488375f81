import { expect, it } from 'vitest'
import { describePlugin, json, sendJson, start, type Untyped } from '../subject.ts'

/** The cookies of a response as a client would send them back. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

describePlugin('cookie', ({ use, createApp }) => {
  it('parses, sets and clears cookies', async () => {
    const app = createApp()
    await app.register(use('cookie'))
    app.get('/', (request: Untyped, reply: Untyped) => {
      reply
        .setCookie('seen', 'yes please', { path: '/', httpOnly: true, sameSite: 'lax', maxAge: 60 })
        .cookie('second', '2')
        .clearCookie('old', { path: '/' })
        .send({ got: request.cookies })
    })
    const url = await start(app)
    const response = await fetch(url, { headers: { cookie: 'a=1; b=two%20words' } })
    expect(await json(response)).toEqual({ got: { a: '1', b: 'two words' } })
    const [seen = '', second = '', old = ''] = response.headers.getSetCookie()
    expect(seen).toBe('seen=yes%20please; Max-Age=60; Path=/; HttpOnly; SameSite=Lax')
    expect(second).toMatch(/^second=2/)
    expect(old).toMatch(/^old=; .*Expires=Thu, 01 Jan 1970 00:00:00 GMT/)
  })

  it('signs cookies and detects a forged one', async () => {
    const app = createApp()
    await app.register(use('cookie'), { secret: 'a secret for signing cookies' })
    app.get('/set', (_request: unknown, reply: Untyped) => {
      reply.setCookie('who', 'ada', { signed: true }).send({})
    })
    app.get('/get', (request: Untyped) => request.unsignCookie(request.cookies.who))
    const url = await start(app)
    const cookie = cookiesOf(await fetch(`${url}/set`))
    const good = await fetch(`${url}/get`, { headers: { cookie } })
    expect(await json(good)).toMatchObject({ valid: true, value: 'ada' })
    const forged = await fetch(`${url}/get`, { headers: { cookie: cookie.replace('ada', 'eve') } })
    expect(await json(forged)).toMatchObject({ valid: false })
  })
})

describePlugin('session', ({ use, createApp }) => {
  it('keeps values between requests, and forgets them when the session is destroyed', async () => {
    const app = createApp()
    await app.register(use('cookie'))
    await app.register(use('session'), {
      secret: 'a secret with a minimum of thirty-two characters',
      cookie: { secure: false },
    })
    app.post('/login', (request: Untyped) => {
      request.session.user = request.body.name
      return {}
    })
    app.get('/me', (request: Untyped) => ({ user: request.session.user ?? null }))
    app.post('/logout', async (request: Untyped) => {
      await request.session.destroy()
      return {}
    })
    const url = await start(app)
    const cookie = cookiesOf(await sendJson(`${url}/login`, 'POST', { name: 'Ada' }))
    expect(cookie).toMatch(/^sessionId=/)
    const me = async (headers: Record<string, string> = {}): Promise<unknown> =>
      (await fetch(`${url}/me`, { headers })).json()
    expect(await me({ cookie })).toEqual({ user: 'Ada' })
    expect(await me()).toEqual({ user: null })
    await sendJson(`${url}/logout`, 'POST', {}, { cookie })
    expect(await me({ cookie })).toEqual({ user: null })
  })

  it('stores sessions in the store of the application', async () => {
    const kept = new Map<string, unknown>()
    const app = createApp()
    await app.register(use('cookie'))
    await app.register(use('session'), {
      secret: 'a secret with a minimum of thirty-two characters',
      cookie: { secure: false },
      saveUninitialized: false,
      store: {
        set: (id: string, session: unknown, done: () => void) => {
          kept.set(id, session)
          done()
        },
        get: (id: string, done: Untyped) => done(null, kept.get(id)),
        destroy: (id: string, done: () => void) => {
          kept.delete(id)
          done()
        },
      },
    })
    app.get('/plain', () => ({}))
    app.get('/keep', (request: Untyped) => {
      request.session.set('a', 1)
      return {}
    })
    const url = await start(app)
    await fetch(`${url}/plain`)
    expect(kept.size).toBe(0)
    await fetch(`${url}/keep`)
    expect(kept.size).toBe(1)
  })
})

describePlugin('secure-session', ({ use, createApp }) => {
  it('keeps the whole session in an encrypted cookie', async () => {
    const app = createApp()
    await app.register(use('secure-session'), { key: Buffer.alloc(32, 7), cookie: { path: '/' } })
    app.post('/', (request: Untyped) => {
      request.session.set('data', request.body)
      return {}
    })
    app.get('/', (request: Untyped) => ({ data: request.session.get('data') ?? null }))
    app.delete('/', (request: Untyped) => {
      request.session.delete()
      return {}
    })
    const url = await start(app)
    const set = await sendJson(url, 'POST', { some: 'data' })
    const cookie = cookiesOf(set)
    expect(cookie).not.toContain('data')
    const get = async (value: string): Promise<unknown> =>
      (await fetch(url, { headers: { cookie: value } })).json()
    expect(await get(cookie)).toEqual({ data: { some: 'data' } })
    expect(await get(`${cookie.slice(0, -6)}AAAAAA`)).toEqual({ data: null })
    const removed = await fetch(url, { method: 'DELETE', headers: { cookie } })
    expect(removed.headers.getSetCookie()[0]).toMatch(/Max-Age=0/)
  })
})

describePlugin('request-context', ({ use, createApp }) => {
  it('carries values through asynchronous work, apart for each request', async () => {
    const app = createApp()
    const { requestContext, ...module } = use('request-context')
    await app.register(module.default ?? module.fastifyRequestContext, {
      hook: 'onRequest',
      defaultStoreValues: (request: Untyped) => ({ path: request.url }),
    })
    app.addHook('onRequest', async (request: Untyped) => {
      request.requestContext.set('user', request.headers['x-user'])
    })
    app.post('/who', async (request: Untyped) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 5)
      })
      return {
        user: requestContext.get('user'),
        path: requestContext.get('path'),
        body: request.body,
      }
    })
    const url = await start(app)
    const ask = async (user: string): Promise<unknown> =>
      (await sendJson(`${url}/who`, 'POST', { from: user }, { 'x-user': user })).json()
    expect(await Promise.all([ask('ada'), ask('eve')])).toEqual([
      { user: 'ada', path: '/who', body: { from: 'ada' } },
      { user: 'eve', path: '/who', body: { from: 'eve' } },
    ])
  })
})
