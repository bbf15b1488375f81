// Guards: functions of a context that return a value for its requests, or end them.
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { App, Plugin, Request } from '../harness/app-shape.ts'
import { tick } from '../harness/time.ts'
import { code } from '../harness/subject.ts'
import { cloister, definePlugin as define } from 'cloister'
import { describeTransports, useApps } from '../harness/transports.ts'

/** Defines a plugin for apps of the harness, whose types are structural. */
const definePlugin = (definition: object): Plugin => Reflect.apply(define, undefined, [definition])

const unauthorized = (): Error => Object.assign(new Error('sign in'), { statusCode: 401 })

/** A guard that takes the caller's name from a header. */
const caller = (request: Request): { name: string } => {
  const { 'x-user': name } = request.headers
  if (typeof name !== 'string') throw unauthorized()
  return { name }
}

const nameOf = ({ user }: Request): unknown => Object(user).name

describeTransports(
  'guards',
  ({ it, expect, createApp, send }) => {
    it('gives its value to the handlers of its context and of children, and to no other', async () => {
      const app = createApp()
      app.register(async (scope: App) => {
        scope.addGuard('user', caller)
        scope.get('/in', (request) => ({ user: nameOf(request) }))
        scope.register(async (child: App) => {
          child.get('/below', async (request) => ({ user: nameOf(request) }))
        })
      })
      app.get('/out', (request) => ({ user: nameOf(request) }))
      const headers = { 'x-user': 'ada' }
      expect((await send(app, { method: 'GET', path: '/in', headers })).json()).toEqual({ user: 'ada' })
      expect((await send(app, { method: 'GET', path: '/below', headers })).json()).toEqual({ user: 'ada' })
      const outside = await send(app, { method: 'GET', path: '/out', headers })
      expect(outside.status).toBe(500)
      expect(outside.json()).toMatchObject({ code: code('GUARD_OUT_OF_CONTEXT') })
    })

    it('ends the request by throwing, before the handler runs', async () => {
      const app = createApp()
      let handled = 0
      app.addGuard('user', caller)
      app.get('/', () => ++handled)
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(401)
      expect(handled).toBe(0)
    })

    it('ends the request by returning an error, before the handler runs', async () => {
      const app = createApp()
      let handled = 0
      const released: unknown[] = []
      const refusal = (): Error => Object.assign(new Error('sign in'), { statusCode: 401 })
      const guards = { '/sync': refusal, '/async': async () => refusal() }
      for (const [path, guard] of Object.entries(guards)) {
        app.register(async (scope: App) => {
          scope.addGuard('user', guard, { release: (value: unknown) => released.push(value) })
          scope.get(path, () => ++handled)
        })
      }
      for (const path of Object.keys(guards)) {
        const response = await send(app, { method: 'GET', path })
        expect([response.status, response.json()]).toMatchObject([401, { message: 'sign in' }])
      }
      expect([handled, released]).toEqual([0, []])
    })

    it('ends the request by replying, with a promise or without', async () => {
      const app = createApp()
      let handled = 0
      app.register(async (scope: App) => {
        scope.addGuard('user', (_request, reply) => reply.code(401).send({ by: 'sync' }))
        scope.get('/sync', () => ++handled)
      })
      app.register(async (scope: App) => {
        scope.addGuard('user', async (_request, reply) => {
          await tick()
          return reply.code(403).send({ by: 'async' })
        })
        scope.get('/async', () => ++handled)
      })
      expect((await send(app, { method: 'GET', path: '/sync' })).status).toBe(401)
      expect((await send(app, { method: 'GET', path: '/async' })).json()).toEqual({ by: 'async' })
      expect(handled).toBe(0)
    })

    it('runs in order with the hooks of its stage, and a later guard reads the values of earlier ones', async () => {
      const app = createApp()
      const order: string[] = []
      const note = (name: string): string => {
        order.push(name)
        return name
      }
      app.addHook('onRequest', async () => void note('before'))
      app.addGuard('first', async () => note('first'))
      app.addHook('onRequest', async (request) => void note(`saw ${String(request['first'])}`))
      app.addGuard('late', (request) => note(`late after ${String(request['first'])}`), {
        at: 'preHandler',
        needs: ['first'],
      })
      app.addHook('preValidation', async () => void note('preValidation'))
      app.get('/', (request) => note(String(request['late'])))
      await send(app, { method: 'GET', path: '/' })
      expect(order).toEqual([
        'before',
        'first',
        'saw first',
        'preValidation',
        'late after first',
        'late after first',
      ])
    })

    it('runs once, also for a request that is handed to a not-found handler of its context', async () => {
      const app = createApp()
      let runs = 0
      app.addGuard('user', () => ({ run: ++runs }), { at: 'preHandler' })
      app.setNotFoundHandler((request, reply) => reply.code(404).send(request['user']))
      app.get('/', (_request, reply) => void reply.callNotFound())
      const response = await send(app, { method: 'GET', path: '/' })
      expect([response.status, response.json()]).toEqual([404, { run: 1 }])
    })

    it('runs for HEAD, for OPTIONS with a route, and where the context has no route', async () => {
      const app = createApp()
      const ran: string[] = []
      app.register(
        async (scope: App) => {
          scope.addGuard('user', (request: Request) => {
            ran.push(request.method)
            return caller(request)
          })
          scope.get('/', () => 'ok')
          scope.route({ method: 'OPTIONS', url: '/', handler: () => 'ok' })
          scope.setNotFoundHandler((_request, reply) => void reply.code(404).send('nothing here'))
        },
        { prefix: '/in' },
      )
      const headers = { 'x-user': 'ada' }
      for (const [method, path, status] of [
        ['HEAD', '/in', 200],
        ['OPTIONS', '/in', 200],
        ['GET', '/in/unknown', 404],
      ] as const) {
        expect((await send(app, { method, path })).status).toBe(401)
        expect((await send(app, { method, path, headers })).status).toBe(status)
      }
      expect(ran).toEqual(['HEAD', 'HEAD', 'OPTIONS', 'OPTIONS', 'GET', 'GET'])
    })

    it('is a coded 500 if it returns nothing, or is read before it ran', async () => {
      const app = createApp()
      app.register(async (scope: App) => {
        scope.addGuard('user', () => undefined)
        scope.get('/nothing', () => 'unreachable')
      })
      app.register(async (scope: App) => {
        scope.addHook('onRequest', async (request) => void request['user'])
        scope.addGuard('user', () => 'ada')
        scope.get('/early', () => 'unreachable')
      })
      const nothing = await send(app, { method: 'GET', path: '/nothing' })
      expect(nothing.json()).toMatchObject({ code: code('GUARD_NO_VALUE') })
      expect(nothing.json()).toMatchObject({ message: expect.stringContaining('guards.test.ts:') })
      const early = await send(app, { method: 'GET', path: '/early' })
      expect(early.json()).toMatchObject({ code: code('GUARD_NOT_RUN') })
    })

    it('gives back what it took, in reverse order, when the response has ended', async () => {
      const app = createApp()
      const order: string[] = []
      const take = (name: string): void => {
        app.addGuard(name, () => name, { release: (value: unknown) => void order.push(`-${String(value)}`) })
      }
      take('first')
      take('second')
      app.get('/', () => {
        order.push('handler')
        return 'ok'
      })
      app.get('/fails', () => {
        throw new Error('no')
      })
      app.get('/stream', () => Readable.from(['a', 'b']))
      await send(app, { method: 'GET', path: '/' })
      await expect.poll(() => order).toEqual(['handler', '-second', '-first'])
      for (const path of ['/fails', '/stream', '/unknown']) {
        order.length = 0
        await send(app, { method: 'GET', path })
        await expect.poll(() => order).toEqual(['-second', '-first'])
      }
    })

    it('is not given back if it never took: an earlier guard has refused', async () => {
      const app = createApp()
      const order: string[] = []
      app.addGuard('a', () => 'a', { release: () => void order.push('-a') })
      app.addGuard(
        'b',
        () => {
          throw unauthorized()
        },
        { release: () => void order.push('-b') },
      )
      app.get('/', () => 'unreachable')
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(401)
      await expect.poll(() => order).toEqual(['-a'])
    })

    it('is waited for by close', async () => {
      const app = createApp()
      let released = false
      app.addGuard('a', () => 'a', {
        release: async () => {
          await tick()
          await tick()
          released = true
        },
      })
      app.get('/', () => 'ok')
      await send(app, { method: 'GET', path: '/' })
      await app.close()
      expect(released).toBe(true)
    })

    it('is replaced in tests by override, with a function or a value', async () => {
      const app = createApp()
      app.override('user', () => ({ name: 'of the test' }))
      app.override('role', 'admin')
      app.register(async (scope: App) => {
        scope.addGuard('user', caller)
        scope.addGuard('role', () => {
          throw unauthorized()
        })
        scope.get('/', (request) => ({ user: nameOf(request), role: request['role'] }))
      })
      expect((await send(app, { method: 'GET', path: '/' })).json()).toEqual({
        user: 'of the test',
        role: 'admin',
      })
    })

    it('leaves the name to other contexts, which may decorate or set it', async () => {
      const app = createApp()
      app.register(async (scope: App) => {
        scope.addGuard('user', caller)
        scope.get('/guarded', (request) => ({ user: nameOf(request) }))
      })
      app.register(async (scope: App) => {
        scope.decorateRequest('user', null)
        scope.addHook('onRequest', async (request) => void Object.assign(request, { user: { name: 'own' } }))
        scope.get('/decorated', (request) => ({ user: nameOf(request) }))
      })
      app.register(async (scope: App) => {
        scope.addHook('onRequest', async (request) => void Object.assign(request, { user: { name: 'set' } }))
        scope.get('/set', (request) => ({ user: nameOf(request) }))
      })
      const headers = { 'x-user': 'ada' }
      const names = ['guarded', 'decorated', 'set'].map(async (path) =>
        (await send(app, { method: 'GET', path: `/${path}`, headers })).json(),
      )
      expect(await Promise.all(names)).toEqual([{ user: 'ada' }, { user: 'own' }, { user: 'set' }])
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)

describe('guards at boot', () => {
  const createApp = useApps()

  it.each([
    ['a name that is no text', [5, () => 1], 'its name must be a text, got number'],
    ['no function', ['user', 'ada'], 'it must be a function (request, reply) => value, got string'],
    ['a callback', ['user', (_a: unknown, _b: unknown, _done: unknown) => 1], "no 'done'"],
    [
      'an unknown option',
      ['user', () => 1, { when: 'onRequest' }],
      "its option 'when' is unknown; known are at",
    ],
    ['an unknown stage', ['user', () => 1, { at: 'onSend' }], "its option 'at' is not one of onRequest"],
    [
      'scopes that are no list',
      ['user', () => 1, { security: { bearer: 'read' } }],
      "its option 'security' is not",
    ],
    ['a refusal that is no status 4xx', ['user', () => 1, { refuses: [200] }], "its option 'refuses' is not"],
    [
      'a refusal without a body',
      ['user', () => 1, { refuses: { 401: 'sign in' } }],
      "not a list of statuses 4xx, or an object with 'error', a schema or null for each",
    ],
    [
      'a security scheme without a type',
      ['user', () => 1, { securitySchemes: { bearer: { scheme: 'bearer' } } }],
      "its option 'securitySchemes' is not an object with a security scheme",
    ],
  ])('refuses %s', (_title, args, message) => {
    const app = createApp()
    expect(() => Reflect.apply(app.addGuard, app, args)).toThrow(message)
    expect(() => Reflect.apply(app.addGuard, app, args)).toThrow(/guards\.test\.ts:\d+/)
  })

  it('refuses a name that its line of contexts has already, with both places', async () => {
    const twice = (define: (parent: App, child: App) => void): Promise<unknown> => {
      const app = createApp()
      app.register(async (child: App) => define(app, child))
      return Promise.resolve(app.ready()).then(
        () => null,
        (error: unknown) => error,
      )
    }
    const guard = (): string => 'ada'
    const errors = await Promise.all([
      twice((_parent, child) => void child.addGuard('user', guard).addGuard('user', guard)),
      twice((parent, child) => void [parent.addGuard('user', guard), child.addGuard('user', guard)]),
      twice((parent, child) => void [child.addGuard('user', guard), parent.addGuard('user', guard)]),
      twice((parent, child) => void [parent.decorateRequest('user', null), child.addGuard('user', guard)]),
      twice((parent, child) => void [parent.addGuard('user', guard), child.decorateRequest('user', null)]),
    ])
    for (const error of errors) {
      expect(error).toMatchObject({ code: code('GUARD_TWICE') })
      expect(String(Object(error).message).match(/guards\.test\.ts:\d+/g)).toHaveLength(2)
    }
  })

  it('refuses a guard that needs what nobody gives before it', async () => {
    const app = createApp()
    expect(() => app.addGuard('account', () => 1, { needs: ['user'] })).toThrow(
      expect.objectContaining({
        code: code('GUARD_NEEDS'),
        message: expect.stringMatching(/needs request\.user: nothing before it gives that/),
      }),
    )
    const late = createApp()
    late.register(async () => {})
    late.addGuard('user', () => 1, { at: 'preHandler' })
    late.addGuard('account', () => 1, { needs: ['user'] })
    await expect(late.ready()).rejects.toMatchObject({
      code: code('GUARD_NEEDS'),
      message: expect.stringMatching(/that guard runs later \(preHandler, added at/),
    })
  })

  it.each([
    ['of a later guard', 'user'],
    ['of its own', 'account'],
  ])(
    'refuses a guard that needs a value %s, also while plugins wait for their turn',
    async (_title, needed) => {
      const app = createApp()
      app.register(async () => {})
      app.addGuard('account', () => 1, { needs: [needed] })
      app.addGuard('user', () => 1)
      await expect(app.ready()).rejects.toMatchObject({
        code: code('GUARD_NEEDS'),
        message: expect.stringMatching(
          /that guard is added after it, at .*guards\.test\.ts:\d+|it gives that itself/,
        ),
      })
    },
  )

  it.each([
    ['a generator', function* () {}],
    ['an async generator', async function* () {}],
  ])('refuses %s, whose code would never run', (_title, run) => {
    const app = createApp()
    expect(() => app.addGuard('user', run)).toThrow(
      expect.objectContaining({
        code: code('GUARD_INVALID'),
        message: expect.stringMatching(/generator; return the value, and give it back in the option release/),
      }),
    )
  })

  it('takes what a plugin registered before it gives', async () => {
    const app = createApp()
    const plugin = Object.assign(async (scope: App) => void scope.addGuard('user', () => 'ada'), {
      [Symbol.for('skip-override')]: true,
    })
    app.register(plugin)
    app.addGuard('account', (request) => `of ${String(request['user'])}`, { needs: ['user'] })
    app.get('/', (request) => request['account'])
    expect((await app.inject('/')).payload).toBe('of ada')
  })

  it.each([
    ['nothing', () => {}, /promises request\.user: it adds nothing of that name/],
    [
      'null',
      (scope: App) => scope.decorateRequest('user', null),
      /promises request\.user: the decoration at .*guards\.test\.ts:\d+ has no value/,
    ],
  ])('refuses a plugin that promises a value and gives %s', async (_title, plugin, message) => {
    const app = createApp()
    app.register(definePlugin({ name: 'auth', provides: { request: ['user'] }, plugin }))
    await expect(app.ready()).rejects.toMatchObject({ code: code('PLUGIN_PROVIDES_NOTHING') })
    await expect(app.ready()).rejects.toThrow(message)
    await expect(app.ready()).rejects.toThrow(/plugin 'auth', registered at .*guards\.test\.ts:\d+/)
  })

  it.each([
    ['a guard', (scope: App) => scope.addGuard('user', () => 'ada')],
    ['a getter', (scope: App) => scope.decorateRequest('user', { getter: () => 'ada' })],
    ['a value', (scope: App) => scope.decorateRequest('user', 'ada')],
  ])('takes a plugin that promises a value and gives %s', async (_title, plugin) => {
    const app = createApp()
    app.register(definePlugin({ name: 'auth', provides: { request: ['user'] }, plugin }))
    app.get('/', (request) => request['user'])
    expect((await app.inject('/')).payload).toBe('ada')
  })

  it('are explained with their names and who passes, and other hooks are no guards', async () => {
    const app = cloister()
    app.addHook('onRequest', async () => {})
    app.addGuard('user', () => 1, { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } })
    app.addGuard('writer', () => 1, {
      at: 'preHandler',
      security: { bearer: ['write'] },
      refuses: { 403: 'error' },
    })
    app.addGuard('plain', () => 1, { at: 'preHandler' })
    app.get('/', () => 'ok')
    await app.ready()
    const explained = app.explain('GET', '/')
    const hooks = explained.kind === 'route' ? explained.hooks : []
    expect(hooks.map(({ name, guard }) => [name, guard])).toEqual([
      ['onRequest', null],
      ['onRequest', { name: 'user', security: { bearer: [] }, refuses: { 401: 'unknown', 403: 'unknown' } }],
      ['preHandler', { name: 'writer', security: { bearer: ['write'] }, refuses: { 403: 'error' } }],
      ['preHandler', { name: 'plain', security: {}, refuses: {} }],
    ])
    await app.close()
  })

  it('adds no guard after the start', async () => {
    const app = createApp()
    await app.ready()
    expect(() => app.addGuard('user', () => 1)).toThrow(/add the guard 'user'/)
  })
})
