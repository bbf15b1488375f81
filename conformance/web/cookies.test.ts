// Cookies: attributes that browsers keep, and signatures.
import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { App, Reply, Request } from '../harness/app-shape.ts'
import { callReply, describeWeb, KEY, OTHER_KEY, register } from './web-app.ts'

const sign = (text: string, key: string): string => createHmac('sha256', key).update(text).digest('base64url')

describeWeb('cookies', ({ createApp, send, it, expect }) => {
  const set = async (name: string, value: string, options?: object): Promise<unknown> => {
    const app = createApp()
    await register(app, { cookies: { keys: [KEY] } })
    app.get('/', (_request: Request, reply: Reply) => {
      callReply(reply, 'setCookie', name, value, options)
      return reply.send('ok')
    })
    const { status, headers } = await send(app, { path: '/' })
    return status === 200 ? [headers['set-cookie'] ?? []].flat() : status
  }

  it('are Secure, HttpOnly, Lax and for all paths, unless the options say otherwise', async () => {
    expect(await set('sid', 'a b;c')).toEqual(['sid=a%20b%3Bc; Path=/; HttpOnly; Secure; SameSite=Lax'])
    const options = {
      secure: false,
      httpOnly: false,
      sameSite: 'strict',
      maxAge: 60,
      path: '/x',
      domain: 'a.example',
    }
    expect(await set('sid', '1', options)).toEqual([
      'sid=1; Max-Age=60; Domain=a.example; Path=/x; SameSite=Strict',
    ])
  })

  it('keep the default of an attribute that is undefined', async () => {
    const names = ['secure', 'httpOnly', 'sameSite', 'path', 'maxAge', 'domain', 'expires', 'partitioned']
    for (const name of names)
      expect(await set('sid', '1', { [name]: undefined })).toEqual([
        'sid=1; Path=/; HttpOnly; Secure; SameSite=Lax',
      ])
    const app = createApp()
    const given = { secure: undefined, httpOnly: undefined }
    await register(app, { cookies: { defaults: given, attributes: { sid: given } } })
    app.get('/', (_request: Request, reply: Reply) => {
      callReply(reply, 'setCookie', 'sid', '1', given)
      return reply.send('ok')
    })
    expect(String((await send(app, { path: '/' })).headers['set-cookie'])).toContain('; HttpOnly; Secure')
  })

  it.each([
    ['sid', '\ud800', {}],
    ['sid', '1', { expires: new Date(Date.UTC(10_000, 0)) }],
    ['__Host-sid', '1', { domain: 'a.example' }],
    ['__Host-sid', '1', { path: '/x' }],
    ['__host-sid', '1', { secure: false }],
    ['__Secure-sid', '1', { secure: false }],
    ['__Http-sid', '1', { httpOnly: false }],
    ['sid', '1', { sameSite: 'none', secure: false }],
    ['sid', '1', { partitioned: true, secure: false }],
    ['sid', 'x'.repeat(4100), {}],
    ['a b', '1', {}],
    ['sid', '1', { path: '/;x' }],
    ['sid', '1', { domain: 'a\r\nset-cookie: b=c' }],
    ['sid', '1', { sameSite: 'lax\r\nx: y' }],
    ['sid', '1', { maxage: 1 }],
    ['sid', '1', { expires: new Date(Number.NaN) }],
  ])('that no browser would keep are an error: %s=%s %j', async (name, value, options) => {
    expect(await set(name, value, options)).toBe(500)
  })

  it('of one name, domain and path replace each other, and go on beside those of the app', async () => {
    const app = createApp()
    await register(app)
    app.get('/', (_request: Request, reply: Reply) => {
      reply.header('set-cookie', 'own=1')
      callReply(reply, 'setCookie', 'sid', '1')
      callReply(reply, 'setCookie', 'sid', '2')
      callReply(reply, 'setCookie', 'sid', '3', { path: '/x' })
      callReply(reply, 'clearCookie', 'old')
      return reply.send('ok')
    })
    const lines = [(await send(app, { path: '/' })).headers['set-cookie'] ?? []].flat()
    expect(lines.map((line) => line.split(';')[0])).toEqual(['own=1', 'sid=2', 'sid=3', 'old='])
    expect(lines[3]).toContain('Max-Age=0')
  })

  const start = async (cookies: object = { keys: [KEY] }): Promise<{ app: App }> => {
    const app = createApp({ cookieSchemas: 'validate' })
    await register(app, { cookies })
    const properties = {
      '__Host-sid': { type: 'string', 'x-signed': true },
      other: { type: 'string', 'x-signed': true },
    }
    const schema = { cookies: { type: 'object', required: ['__Host-sid'], properties } }
    app.get('/me', { schema }, (request: Request) => request['cookies'])
    app.get('/in', (_request: Request, reply: Reply) => {
      callReply(reply, 'setCookie', '__Host-sid', 'ada')
      return reply.send('in')
    })
    return { app }
  }
  const me = (app: App, cookie: string) => send(app, { path: '/me', headers: { cookie } })

  it('that a schema marks are signed when they are set, and verified when they come back', async () => {
    const { app } = await start()
    const [line = ''] = [(await send(app, { path: '/in' })).headers['set-cookie'] ?? []].flat()
    const [pair = ''] = line.split(';')
    expect((await me(app, pair)).json()).toEqual({ '__Host-sid': 'ada' })
    expect((await send(app, { path: '/me', headers: { cookie: pair } })).headers['cache-control']).toBe(
      'no-store',
    )
  })

  it('with another signature are absent: of another name, key or spelling', async () => {
    const { app } = await start()
    const good = sign('__Host-sid=ada', KEY)
    expect((await me(app, `__Host-sid=ada.${good}`)).status).toBe(200)
    const wrong = [
      'ada',
      'ada.',
      `ada.${sign('other=ada', KEY)}`,
      `ada.${sign('__Host-sid=ada', OTHER_KEY)}`,
      `eve.${good}`,
      `ada.${good.slice(0, -1)}`,
      `ada.${good}=`,
      `ada.${good.toUpperCase()}`,
    ]
    for (const value of wrong)
      expect((await me(app, `__Host-sid=${encodeURIComponent(value)}`)).status).toBe(400)
  })

  it('of an older key are accepted, and signed anew', async () => {
    const { app } = await start({ keys: [OTHER_KEY, KEY] })
    const response = await me(app, `__Host-sid=ada.${sign('__Host-sid=ada', KEY)}`)
    expect(response.json()).toEqual({ '__Host-sid': 'ada' })
    expect(String(response.headers['set-cookie'])).toContain(
      `__Host-sid=ada.${sign('__Host-sid=ada', OTHER_KEY)}`,
    )
  })

  it('that are signed again keep the attributes of their name, and no others are needed', async () => {
    const attributes = { '__Host-sid': { maxAge: 60, sameSite: 'strict' } }
    const { app } = await start({ keys: [OTHER_KEY, KEY], attributes })
    const again = await me(app, `__Host-sid=ada.${sign('__Host-sid=ada', KEY)}`)
    const first = await send(app, { path: '/in' })
    for (const { headers } of [again, first])
      expect(String(headers['set-cookie'])).toMatch(/Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const wrong = { '__Host-sid': { path: '/app' } }
    await expect(start({ keys: [KEY], attributes: wrong })).rejects.toThrow(/'__Host-sid' has the prefix/)
  })

  const mark = { type: 'string', 'x-signed': true }
  const marked = { type: 'object', properties: { sid: mark } }
  const places: Record<string, unknown> = {
    'a shared schema': { $ref: 'session#' },
    'a shared schema of the value': {
      type: 'object',
      properties: { sid: { $ref: 'session#/properties/sid' } },
    },
    'a definition': { $defs: { sid: mark }, type: 'object', properties: { sid: { $ref: '#/$defs/sid' } } },
    allOf: { allOf: [{ type: 'object' }, marked] },
    'allOf of the value': { type: 'object', properties: { sid: { allOf: [mark] } } },
    anyOf: { anyOf: [marked, { type: 'object', properties: { sid: { type: 'string' } } }] },
    'the short form': { sid: mark },
    'metadata of a library': z.object({ sid: z.string().optional().meta({ 'x-signed': true }) }),
  }
  const startWith = async (cookies: unknown, options: object = {}): Promise<{ app: App }> => {
    const app = createApp({ cookieSchemas: 'validate', ...options })
    await register(app, { cookies: { keys: [KEY] } })
    app.get('/me', { schema: { cookies } }, (request: Request) => request['cookies'])
    app.addSchema({ $id: 'session', ...marked })
    return { app }
  }
  for (const [place, cookies] of Object.entries(places)) {
    it(`are verified where the mark stands in ${place}`, async () => {
      const { app } = await startWith(cookies)
      expect((await me(app, 'sid=forged')).json()).toEqual({})
      expect((await me(app, `sid=ada.${sign('sid=ada', KEY)}`)).json()).toEqual({ sid: 'ada' })
    })
  }

  it('cannot be marked where the mark belongs to no name', async () => {
    const { app } = await startWith({ type: 'object', patternProperties: { '^s': mark } })
    await expect(app.ready()).rejects.toThrow(
      /'x-signed' below 'patternProperties' in the cookies of GET \/me/,
    )
  })

  it('that are signed and sent twice are refused where names must not be given twice', async () => {
    const { app } = await startWith(marked, { duplicateNames: 'refuse' })
    const good = `sid=ada.${sign('sid=ada', KEY)}`
    for (const cookie of [`${good}; sid=forged`, `sid=forged; ${good}`])
      expect((await me(app, cookie)).json()).toMatchObject({ code: 'CLO_ERR_INPUT_INEXACT' })
  })

  it('signed by @fastify/cookie are accepted until a date', async () => {
    const old = createHmac('sha256', KEY).update('ada').digest('base64').replace(/=+$/, '')
    const cookie = `__Host-sid=${encodeURIComponent(`ada.${old}`)}`
    const until = (ms: number) => start({ keys: [KEY], accept: { fastify: new Date(Date.now() + ms) } })
    expect((await me((await until(60_000)).app, cookie)).status).toBe(200)
    expect((await me((await until(-1)).app, cookie)).status).toBe(400)
    expect((await me((await start()).app, cookie)).status).toBe(400)
  })

  it('that are signed need a key: the app does not start', async () => {
    const { app } = await start({ keys: [undefined] })
    await expect(app.ready()).rejects.toThrow(/'__Host-sid' of GET \/me \(.*cookies\.test\.ts.*\) is signed/)
  })
})
