import { bearerAuth, bearerGuard } from '@cloister/bearer-auth'
import { cloister } from 'cloister'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { collectUnhandled } from '../../../conformance/harness/unhandled.ts'
import { PROMISED } from './helpers/promised.ts'

const users = new Map([['secret-key', { name: 'ada' }]])
const headers = { authorization: 'Bearer secret-key' }

/** A thenable that is no promise, such as a query of a database. */
function laterAs<Value>(value: Value): PromiseLike<Value> {
  const promise = Promise.resolve(value)
  return { then: (fulfilled, rejected) => promise.then(fulfilled, rejected) }
}

const unhandled = collectUnhandled()

describe('a bearer guard', () => {
  it.each([
    ['a value', (key: string) => users.get(key)],
    ['a promise', async (key: string) => users.get(key) ?? null],
    ['a query that is a thenable', (key: string) => laterAs(users.get(key) ?? null)],
    ['a query of whether there is a user', (key: string) => laterAs(users.get(key) ?? (false as const))],
    ['a value, or null', (key: string) => users.get(key) ?? null],
    [
      'a function that is a thenable',
      (key: string) => Object.assign(() => key, laterAs(users.get(key) ?? null)),
    ],
  ])('gives handlers what auth returned: %s', async (_title, auth) => {
    const app = cloister()
    app.register(async (scope) => {
      const api = scope.addGuard('user', bearerGuard({ auth }))
      api.get('/', (request) => ({ name: request.user.name }))
    })
    expect((await app.inject({ url: '/', headers })).json()).toEqual({ name: 'ada' })
    for (const wrong of [{ authorization: 'Bearer wrong' }, { authorization: 'Basic x' }, {}]) {
      const response = await app.inject({ url: '/', headers: wrong })
      expect(response.statusCode).toBe(401)
      expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="restricted"/)
      expect(response.json()).toMatchObject({ statusCode: 401, error: 'Unauthorized' })
    }
    await app.close()
  })

  it('is true for one of the keys, and refuses with problems where the app sends them', async () => {
    const app = cloister({ strict: true, problemDetails: true })
    const api = app.addGuard('isClient', bearerGuard({ keys: ['secret-key'] }))
    api.get('/', (request) => ({ isClient: request.isClient }))
    expect((await app.inject({ url: '/', headers })).json()).toEqual({ isClient: true })
    const refused = await app.inject('/')
    expect(refused.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(refused.json()).toMatchObject({
      status: 401,
      code: 'CLO_ERR_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER',
    })
    await app.close()
  })

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('host db-7 is down')
      },
    ],
    ['rejects', (): Promise<string> => Promise.reject(new Error('host db-7 is down'))],
    [
      'is a query that rejects',
      (): PromiseLike<string> => laterAs(0).then(() => Promise.reject(new Error('host db-7 is down'))),
    ],
    [
      'returns what cannot be read',
      (): object =>
        new Proxy(
          {},
          {
            get() {
              throw new Error('host db-7 is down')
            },
          },
        ),
    ],
  ])('is a 500 that hides the error of an auth function that %s, and logs it', async (_title, auth) => {
    const lines: string[] = []
    const app = cloister({ logger: { stream: { write: (line: string): void => void lines.push(line) } } })
    app.addGuard('user', bearerGuard<unknown>({ auth }))
    app.get('/', () => 'unreachable')
    const response = await app.inject({ url: '/', headers })
    expect(response.statusCode).toBe(500)
    expect(response.body).not.toContain('db-7')
    expect(lines.join('')).toContain('db-7')
    await app.close()
  })

  it('is a 500 if the auth function throws what cannot be read', async () => {
    const fail = (): never => {
      throw new Error('no')
    }
    const unreadable = new Proxy({}, { get: fail, getPrototypeOf: fail })
    const lines: string[] = []
    const app = cloister({ logger: { stream: { write: (line: string): void => void lines.push(line) } } })
    const auth = (): never => {
      throw unreadable
    }
    app.addGuard('user', bearerGuard<unknown>({ auth }))
    app.get('/', () => 'unreachable')
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(500)
    expect(lines.join('')).toContain('something that cannot be read')
    await app.close()
  })

  it('decides at once where auth does', () => {
    const refuse = (): never => expect.unreachable()
    const reply = { code: refuse, header: refuse, send: refuse }
    for (const value of ['ada', 0, { name: 'ada' }, () => 'ada']) {
      const guard = bearerGuard({ auth: () => value })
      expect(guard({ headers, log: {} }, reply)).toBe(value)
    }
  })

  it.each([
    [{}, 'application/json; charset=utf-8'],
    [{ contentType: 'application/vnd.own+json' }, 'application/vnd.own+json; charset=utf-8'],
  ])('sends the body and the media type of its options: %j', async (options, type) => {
    const app = cloister()
    app.addGuard('isClient', bearerGuard({ keys: ['k'], errorResponse: () => ({ own: true }), ...options }))
    app.get('/', () => 'unreachable')
    const response = await app.inject('/')
    expect([response.statusCode, response.json()]).toEqual([401, { own: true }])
    expect(response.headers['content-type']).toBe(type)
    await app.close()
  })

  it.each(PROMISED)('is a 500 if its body is a promise that %s', async (_title, errorResponse) => {
    const app = cloister()
    app.addGuard('isClient', bearerGuard({ keys: ['k'], errorResponse }))
    app.get('/', () => 'unreachable')
    const response = await app.inject('/')
    expect(response.statusCode).toBe(500)
    expect(response.json()).toMatchObject({
      message: expect.stringContaining('errorResponse returned a promise'),
    })
    await nextTurn()
    expect(unhandled).toEqual([])
    await app.close()
  })

  it('refuses options of the plugin that it does not have, and unknown ones', () => {
    const withHook: object = { keys: ['k'], addHook: 'preParsing' }
    expect(() => bearerGuard(withHook)).toThrow(/no option 'addHook'.*'at' of addGuard/)
    const misspelt: object = { key: ['k'] }
    expect(() => bearerGuard(misspelt)).toThrow("there is no option 'key'")
    expect(() => bearerGuard({})).toThrow("one of the options 'keys' and 'auth' is needed")
  })

  it('and the plugin state their scheme and the body of their refusals', async () => {
    const app = cloister()
    const plugin = async (options: object, own: object = {}): Promise<unknown> => {
      const one = cloister(options)
      one.register(bearerAuth, { keys: ['k'], ...own })
      one.get('/', () => 'ok')
      await one.ready()
      const explained = one.explain('GET', '/')
      await one.close()
      return explained.kind === 'route' && explained.hooks[0]?.guard
    }
    app.addGuard('user', bearerGuard({ keys: ['k'] }))
    app.get('/', () => 'ok')
    await app.ready()
    const guarded = app.explain('GET', '/')
    expect(guarded.kind === 'route' && guarded.hooks[0]?.guard).toEqual({
      name: 'user',
      security: { bearer: [] },
      refuses: { 401: 'error' },
    })
    const stated = { name: null, security: { bearer: [] } }
    expect(await plugin({})).toEqual({ ...stated, refuses: { 401: 'schema' } })
    expect(await plugin({ strict: true })).toEqual({ ...stated, refuses: { 401: 'error' } })
    for (const own of [
      { errorResponse: () => 'no' },
      { contentType: 'text/plain', errorResponse: () => 'no' },
    ])
      for (const strict of [false, true])
        expect(await plugin({ strict }, own)).toEqual({ ...stated, refuses: { 401: 'unknown' } })
    expect(await plugin({}, { contentType: 'text/plain' })).toEqual({
      ...stated,
      refuses: { 401: 'unknown' },
    })
    await app.close()
  })
})
