// A state as the store of the limits of `@cloister/web`.
import { memoryState, rateLimitStore, sessionStore, type State } from '@cloister/state'
import { MemoryStore, type LimitStore } from '@cloister/web'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { App } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'
import { register } from '../web/web-app.ts'

describeTransports('limits in a state', ({ createApp, send, it, expect }) => {
  const start = async (store: LimitStore): Promise<{ app: App }> => {
    const app = createApp()
    const by = (request: { headers: Record<string, unknown> }): unknown => request.headers['x-key'] ?? 'none'
    await register(app, { limit: { max: 3, per: '1h', store, by, onStoreFailure: 'refuse' } })
    app.get('/', () => 'ok')
    app.get('/own', { web: { limit: { max: 2, per: '1h' } } }, () => 'ok')
    return { app }
  }

  it('are shared by the apps that share the state, also for keys that no store would keep', async () => {
    const state: State = memoryState()
    const apps = [(await start(state)).app, (await start(state)).app] as const
    for (const key of ['a', 'x'.repeat(3000), '\u00e9 / *']) {
      const statuses: number[] = []
      for (const app of [...apps, ...apps])
        statuses.push((await send(app, { path: '/', headers: { 'x-key': key } })).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
  })

  it('of routes are shared too, if they name no store of their own', async () => {
    const state: State = memoryState()
    const apps = [(await start(state)).app, (await start(state)).app] as const
    const statuses: number[] = []
    for (const app of [...apps, ...apps]) statuses.push((await send(app, { path: '/own' })).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })

  it('of one route are not used up by a key of another whose name goes on as that of the first does', async () => {
    const state = memoryState()
    const app = createApp()
    const by = (request: { headers: Record<string, unknown> }): unknown => request.headers['x-key']
    await register(app, { limit: { max: 9, per: '1h', store: state } })
    const limit = { max: 1, per: '1h', by }
    app.get('/users/', { web: { limit } }, () => 'list')
    app.get('/users/:id', { web: { limit } }, () => 'one')
    const statuses: number[] = []
    for (const [path, key] of [
      ['/users/', 'id:ada'],
      ['/users/1', 'ada'],
    ] as const)
      statuses.push((await send(app, { path, headers: { 'x-key': key } })).status)
    expect(statuses).toEqual([200, 200])
  })

  it('refuse with 503 while the state fails', async () => {
    const state = memoryState({ deadlineMs: 5 })
    const { app } = await start({
      take: (key, cost, rule) => (cost > 0 ? Promise.reject(new Error('down')) : state.take(key, cost, rule)),
    })
    for (const path of ['/', '/own']) {
      const refused = await send(app, { path })
      expect([refused.status, refused.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'CLO_ERR_WEB_LIMIT_STORE' }),
      ])
    }
  })
})

it('the store of @fastify/rate-limit counts routes apart, also if the key of a client looks like a path', async () => {
  const Store = rateLimitStore(memoryState())
  const root = new Store({ exponentialBackoff: false })
  const use = (url: string, key: string): Promise<unknown> =>
    new Promise((resolve) => {
      const route = root.child({ exponentialBackoff: false, routeInfo: { method: 'GET', url } })
      route.incr(key, (_error, used) => resolve(used?.current), 60_000, 5)
    })
  expect([await use('/users/', 'id:ada'), await use('/users/:id', 'ada')]).toEqual([1, 1])
})

it('a session whose cookie lives for years is kept as long as a state can, not a day', async () => {
  let now = 0
  const sessions = sessionStore(memoryState({ now: () => now }))
  const year = 365 * 86_400_000
  const cookie = { maxAge: 10 * year }
  await new Promise((resolve) => sessions.set('id', { cookie, user: 'ada' }, resolve))
  now = year
  const found = await new Promise((resolve) => sessions.get('id', (_error, session) => resolve(session)))
  expect(found).toEqual({ cookie, user: 'ada' })
})

it('the store of @cloister/web and a state decide alike', async () => {
  const take = fc.record({
    wait: fc.nat(400),
    cost: fc.integer({ min: 1, max: 4 }),
    key: fc.constantFrom('a', 'b'),
  })
  const rule = fc.record({ max: fc.integer({ min: 1, max: 5 }), perMs: fc.integer({ min: 1, max: 900 }) })
  await fc.assert(
    fc.asyncProperty(rule, fc.array(take, { maxLength: 30 }), async (limit, takes) => {
      let now = 0
      const store = new MemoryStore(() => now)
      const state = memoryState({ now: () => now })
      for (const { wait, cost, key } of takes) {
        now += wait
        expect(await state.take(key, cost, limit)).toEqual(store.take(key, cost, limit))
      }
    }),
  )
})
