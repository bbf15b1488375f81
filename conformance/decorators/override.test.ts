// `app.override`: what tests put in the place of a decorator.
import { code, wrap } from '../harness/subject.ts'
import type { App, Plugin } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

const real: Plugin = wrap(async (app) => void app.decorate('db', { name: 'real' }))

describeTransports('app.override', ({ createApp, send, ours, expect }) => {
  const test = ours('fastify has no such method')
  const ask = async (app: ReturnType<typeof createApp>, path = '/'): Promise<unknown> =>
    (await send(app, { path })).json()

  test('reaches a plugin deep down, with its hooks and handlers', async () => {
    const app = createApp().override('db', { name: 'fake' })
    app.register(async (outer) => {
      outer.register(async (inner) => {
        inner.register(real)
        inner.after(() => {
          inner.addHook('onRequest', async (request, reply) => {
            reply.header('x-hook', Object(Reflect.get(Object(request.server), 'db')).name)
          })
          inner.get('/', () => ({ db: Reflect.get(inner, 'db') }))
        })
      })
    })
    const response = await send(app, { path: '/' })
    expect([response.json(), response.headers['x-hook']]).toEqual([{ db: { name: 'fake' } }, 'fake'])
  })

  test('replaces a decorator that is there already, and functions and accessors alike', async () => {
    const app = createApp().decorate('db', { name: 'real' })
    app
      .override('db', { name: 'fake' })
      .override('now', () => 1)
      .override('size', 2)
    app.decorate('now', () => Date.now()).decorate('size', { getter: () => 3 })
    app.get('/', () => ({
      db: Reflect.get(app, 'db'),
      now: Reflect.apply(Object(app).now, app, []),
      size: Reflect.get(app, 'size'),
    }))
    expect(await ask(app)).toEqual({ db: { name: 'fake' }, now: 1, size: 2 })
  })

  test('holds for its context and those below, and the latest value counts', async () => {
    const app = createApp()
    app.register(async (one) => {
      one.override('db', { name: 'first' }).override('db', { name: 'second' })
      one.register(real)
      one.get('/one', () => ({ db: Reflect.get(one, 'db') }))
    })
    app.register(async (other) => {
      other.register(real)
      other.get('/other', () => ({ db: Reflect.get(other, 'db') }))
    })
    expect(await ask(app, '/one')).toEqual({ db: { name: 'second' } })
    expect(await ask(app, '/other')).toEqual({ db: { name: 'real' } })
  })

  test('is an error of the boot when nothing decorates the name, with a near one', async () => {
    const app = createApp().override('dbb', {})
    app.register(real)
    await expect(Promise.resolve(app.ready())).rejects.toMatchObject({
      code: code('DEC_OVERRIDE_UNUSED'),
      message: expect.stringMatching(/'dbb'.*override\.test\.ts.*did you mean 'db'\?/),
    })
  })

  test.each([
    ['before it', (app: App) => app.addGuard('user', () => 1).override('user', 2)],
    [
      'in a context above',
      (app: App) => {
        app.addGuard('user', () => 1)
        app.register(async (child) => void child.override('user', 2))
      },
    ],
    [
      'in another context',
      (app: App) => {
        app.register(async (one) => void one.addGuard('user', () => 1))
        app.register(async (other) => void other.override('user', 2))
      },
    ],
  ])('is an error of the boot for a guard that is added %s, with both places', async (_title, define) => {
    const app = createApp()
    define(app)
    await expect(Promise.resolve(app.ready())).rejects.toMatchObject({
      code: code('DEC_OVERRIDE_UNUSED'),
      message: expect.stringMatching(
        /override\.test\.ts.*'user' is added at .*override\.test\.ts:\d+; override it before that, in its context or an ancestor/,
      ),
    })
  })

  test('is refused when the app is ready, and its name is free for decorators', async () => {
    const app = createApp()
    app.register(async (child) => void child.decorate('override', 1))
    await app.ready()
    expect(() => app.override('db', {})).toThrow(
      expect.objectContaining({ code: code('INSTANCE_ALREADY_LISTENING') }),
    )
  })
})
