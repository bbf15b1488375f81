// Plugins over the stores of `@cloister/state`, in two apps as two processes have them.
import { memoryState, rateLimitStore, sessionStore, type State } from '@cloister/state'
import { expect, it } from 'vitest'
import { describePlugin, json, sendJson, start, type PluginApp, type Untyped } from '../subject.ts'

describePlugin('session', ({ use, createApp }) => {
  const open = async (state: State, cookie: object): Promise<string> => {
    const app: PluginApp = createApp()
    await app['register'](use('cookie'))
    await app['register'](use('session'), {
      secret: 'a secret with a minimum of thirty-two characters',
      cookie: { secure: false, ...cookie },
      saveUninitialized: false,
      store: sessionStore(state, { ttlMs: 1000 }),
    })
    app['post']('/login', (request: Untyped) => {
      request.session.user = { name: request.body.name, since: '\u00e9 "' }
      return {}
    })
    app['get']('/me', (request: Untyped) => ({ user: request.session.user ?? null }))
    app['post']('/logout', async (request: Untyped) => {
      await request.session.destroy()
      return {}
    })
    return start(app)
  }
  const signIn = async (url: string): Promise<string> => {
    const [line = ''] = (await sendJson(`${url}/login`, 'POST', { name: 'Ada' })).headers.getSetCookie()
    return line.split(';')[0] ?? ''
  }
  const userOf = async (url: string, cookie: string): Promise<unknown> =>
    Reflect.get(Object(await json(await fetch(`${url}/me`, { headers: { cookie } }))), 'user')

  it('of one app is known to the other, until it is destroyed or its cookie ends', async () => {
    let now = 0
    const keys: string[] = []
    const memory = memoryState({ now: () => now })
    const state: State = {
      ...memory,
      get: (key) => {
        keys.push(key)
        return memory.get(key)
      },
      put: (key, value, options) => memory.put(key, value, options),
      delete: (key) => memory.delete(key),
    }
    const [one, two] = [await open(state, { maxAge: 60_000 }), await open(state, { maxAge: 60_000 })]
    const cookie = await signIn(one)
    const ada = { name: 'Ada', since: '\u00e9 "' }
    expect(await userOf(two, cookie)).toEqual(ada)
    now = 59_000
    expect(await userOf(one, cookie)).toEqual(ada)
    await sendJson(`${one}/logout`, 'POST', {}, { cookie })
    expect(await userOf(two, cookie)).toBe(null)
    const [id = ''] = decodeURIComponent(cookie.replace(/^[^=]*=/, '')).split('.')
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.filter((key) => key.includes(id) || !/^session:[\w-]{43}$/.test(key))).toEqual([])
    const other = await signIn(one)
    now += 61_000
    expect(await userOf(two, other)).toBe(null)
  })

  it('without a maxAge expires as the store says', async () => {
    let now = 0
    const url = await open(memoryState({ now: () => now }), {})
    const cookie = await signIn(url)
    now = 900
    expect(await userOf(url, cookie)).toMatchObject({ name: 'Ada' })
    now = 3000
    expect(await userOf(url, cookie)).toBe(null)
  })

  it('that the state can not read is an error, not another session', async () => {
    const url = await open({ ...memoryState(), get: () => Promise.reject(new Error('down')) }, {})
    expect(
      (await fetch(`${url}/me`, { headers: { cookie: await signIn(await open(memoryState(), {})) } })).status,
    ).toBe(500)
  })
})

describePlugin(
  'rate-limit',
  ({ use, createApp }) => {
    const open = async (state: State, options: object = {}): Promise<string> => {
      const app: PluginApp = createApp()
      await app['register'](use('rate-limit'), {
        max: 3,
        timeWindow: 3_600_000,
        store: rateLimitStore(state),
        ...options,
      })
      app['get']('/', () => 'ok')
      app['get']('/own', { config: { rateLimit: { max: 1, timeWindow: 3_600_000 } } }, () => 'ok')
      return start(app)
    }

    it('counts the requests of both apps, and those of a route apart', async () => {
      const state = memoryState()
      const [one, two] = [await open(state), await open(state)]
      const remaining: unknown[] = []
      for (const url of [one, two, one, two]) {
        const response = await fetch(url)
        remaining.push([response.status, response.headers.get('x-ratelimit-remaining')])
      }
      expect(remaining).toEqual([
        [200, '2'],
        [200, '1'],
        [200, '0'],
        [429, '0'],
      ])
      expect((await fetch(`${one}/own`)).status).toBe(200)
      const refused = await fetch(`${two}/own`)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
    })

    it('fails or lets requests pass while the state fails, as skipOnError says', async () => {
      const down: State = { ...memoryState(), take: () => Promise.reject(new Error('down')) }
      expect((await fetch(await open(down))).status).toBe(500)
      expect((await fetch(await open(down, { skipOnError: true }))).status).toBe(200)
    })

    it.each(['continueExceeding', 'exponentialBackoff', 'ban'])('ends the boot with %s', async (name) => {
      const value = name === 'ban' ? 2 : true
      await expect(open(memoryState(), { [name]: value })).rejects.toMatchObject({
        code: 'CLO_ERR_STATE_OPTION',
      })
    })
  },
  [5],
)

describePlugin(
  'rate-limit',
  ({ use, createApp }) => {
    it('of a version before 10.2 ends the boot', async () => {
      const app: PluginApp = createApp()
      const options = { store: rateLimitStore(memoryState()) }
      await expect(app['register'](use('rate-limit'), options)).rejects.toThrow(
        /needs @fastify\/rate-limit 10\.2/,
      )
    })
  },
  [4],
)
