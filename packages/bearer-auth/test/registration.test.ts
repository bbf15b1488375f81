import { describe, expect, it } from 'vitest'
import { bearerAuth, verifyBearerAuthFactory } from '@cloister/bearer-auth'
import type { VerifyBearerAuth, VerifyBearerAuthFactory } from '@cloister/bearer-auth'
import { cloister } from 'cloister'
import type { CloisterRequest } from 'cloister'

const keys = ['secret-key']
const headers = { authorization: 'Bearer secret-key' }

describe('registering the bearer plugin', () => {
  it('fails the boot when it could protect nothing', async () => {
    const app = cloister()
    app.register(bearerAuth, { keys: [] })
    await expect(app.ready()).rejects.toThrow("bearer-auth: option 'keys' holds no key")
  })

  it('fails the boot when the logger has no such level', async () => {
    const app = cloister()
    app.register(bearerAuth, { keys, verifyErrorLogLevel: 'loud' })
    await expect(app.ready()).rejects.toThrow("the logger has no level 'loud'")
  })

  it('fails the boot when the level is a function of the logger that writes nothing', async () => {
    const app = cloister({ logger: { level: 'silent' } })
    app.register(bearerAuth, { keys, verifyErrorLogLevel: 'child' })
    await expect(app.ready()).rejects.toThrow("the logger has no level 'child'")
  })

  it.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', null])(
    'takes %j as a level for refusals',
    async (verifyErrorLogLevel) => {
      const app = cloister()
      app.register(bearerAuth, { keys, verifyErrorLogLevel })
      await app.ready()
      await app.close()
    },
  )

  it('takes a level that was added to the logger', async () => {
    const lines: string[] = []
    const stream = { write: (line: string): void => void lines.push(line) }
    const app = cloister({ logger: { customLevels: { audit: 35 }, stream } })
    app.register(bearerAuth, { keys, verifyErrorLogLevel: 'audit' })
    expect((await app.inject('/')).statusCode).toBe(401)
    expect(lines.some((line) => line.includes('"level":35') && line.includes('unauthorized'))).toBe(true)
    await app.close()
  })

  it('protects the context that registers it, the root too', async () => {
    const app = cloister()
    app.register(bearerAuth, { keys })
    app.get('/', async () => ({ ok: true }))
    expect((await app.inject('/')).statusCode).toBe(401)
    expect((await app.inject('/nothing')).statusCode).toBe(401)
    expect((await app.inject({ url: '/', headers })).json()).toEqual({ ok: true })
    await app.close()
  })

  it('does not check when addHook is false', async () => {
    const app = cloister()
    await app.register(bearerAuth, { keys, addHook: false })
    const verify: VerifyBearerAuth = Reflect.get(app, 'verifyBearerAuth')
    const factory: VerifyBearerAuthFactory = Reflect.get(app, 'verifyBearerAuthFactory')
    app.get('/open', async () => 'open')
    app.get('/closed', { onRequest: verify }, async () => 'closed')
    app.get('/other', { onRequest: factory({ keys: ['other-key'], addHook: false }) }, async () => 'other')
    expect((await app.inject('/open')).body).toBe('open')
    // The app responds with its own error.
    const closed = app.explain('GET', '/closed')
    expect(closed.kind === 'route' && closed.hooks[0]?.guard?.refuses).toEqual({ 401: 'error' })
    expect((await app.inject({ url: '/closed', headers })).body).toBe('closed')
    expect((await app.inject({ url: '/other', headers })).statusCode).toBe(401)
    const refused = await app.inject('/closed')
    expect(refused.statusCode).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="restricted"')
    expect(refused.json()).toMatchObject({ statusCode: 401, message: 'missing authorization header' })
    await app.close()
  })

  it('hands the whole request to an auth function, which may name its type', async () => {
    const app = cloister()
    const seen: string[] = []
    app.register(bearerAuth, {
      auth(_key, request: CloisterRequest) {
        seen.push(request.method, request.url)
        return true
      },
    })
    app.get('/', async () => 'in')
    expect((await app.inject({ url: '/?a=1', headers })).body).toBe('in')
    expect(seen).toEqual(['GET', '/?a=1'])
    await app.close()
  })

  it('needs no members of the instance that it does not name', async () => {
    const hooks: unknown[] = []
    const app = { log: {}, addHook: (...hook: unknown[]) => hooks.push(hook), decorate: expect.unreachable }
    await bearerAuth(app, { keys, verifyErrorLogLevel: false })
    expect(hooks).toEqual([['onRequest', expect.any(Function)]])
  })

  it('declares the scheme with the lower-case name of its type', () => {
    const verify = verifyBearerAuthFactory({ keys, bearerType: 'DPoP' })
    expect(Reflect.get(verify, Symbol.for('cloister.security'))).toEqual({
      bearer: { type: 'http', scheme: 'dpop' },
    })
  })

  it('offers the check to single routes without registering anything', async () => {
    const app = cloister()
    app.get('/closed', { onRequest: verifyBearerAuthFactory({ keys }) }, async () => 'closed')
    expect((await app.inject('/closed')).statusCode).toBe(401)
    expect((await app.inject({ url: '/closed', headers })).body).toBe('closed')
    await app.close()
  })

  it('can stand twice, for two kinds of keys in nested contexts', async () => {
    const app = cloister()
    await app.register(bearerAuth, { keys: ['outer'] })
    app.get('/outer', async () => 'outer')
    app.register(async (inner) => {
      await inner.register(bearerAuth, { auth: (key) => key === 'outer' })
      inner.get('/inner', async () => 'inner')
    })
    const outer = { authorization: 'Bearer outer' }
    expect((await app.inject({ url: '/outer', headers: outer })).body).toBe('outer')
    expect((await app.inject({ url: '/inner', headers: outer })).body).toBe('inner')
    expect((await app.inject('/inner')).statusCode).toBe(401)
    await app.close()
  })
})
