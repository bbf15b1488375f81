// Wrong options end the boot, with what to write instead.
import { describe, expect, it } from 'vitest'
import { useApps } from '../harness/transports.ts'
import { register } from './telemetry.ts'

const createApp = useApps()

describe('wrong options of @cloister/otel', () => {
  it.each([
    [
      { parent: 'follow' },
      `the option 'parent' of @cloister/otel must be 'continue', 'link', 'ignore', or a function that returns one of them; got "follow"`,
    ],
    [{ hooks: 'yes' }, `the option 'hooks' of @cloister/otel must be a boolean; got "yes"`],
    [{ ignore: '/health' }, `the option 'ignore' of @cloister/otel must be a function; got "/health"`],
    [
      { ignorePaths: '/health' },
      "@cloister/otel has no option 'ignorePaths'; its options are parent, context, ignore, metrics, logs, hooks, name",
    ],
    [
      { ignore: async () => false },
      "the function 'ignore' of @cloister/otel must return a boolean for the route GET /; got a promise",
    ],
    [
      { name: () => '' },
      `the function 'name' of @cloister/otel must return a text for the route GET /; got ""`,
    ],
  ])('%j', async (options, message) => {
    const app = createApp()
    const boot = async (): Promise<void> => {
      await register(app, options)
      app.get('/', () => 'ok')
      await app.ready()
    }
    await expect(boot()).rejects.toMatchObject({ code: 'CLO_ERR_OTEL_OPTION', message })
  })

  it('a route option that is no boolean', async () => {
    const app = createApp()
    await register(app)
    app.get('/users', { otel: 'off' }, () => 'ok')
    await expect(app.ready()).rejects.toMatchObject({
      code: 'CLO_ERR_OTEL_ROUTE_OPTION',
      message: `the option 'otel' of the route GET /users must be a boolean; got "off"`,
    })
  })

  it('the route option is known to strict apps', async () => {
    const app = createApp({ strict: true })
    await register(app)
    app.get('/', { otel: false, schema: { response: { 200: { type: 'string' } } } }, () => 'ok')
    expect((await app.inject('/')).statusCode).toBe(200)
  })

  it('without an SDK, nothing happens', async () => {
    const app = createApp()
    await register(app, { hooks: true })
    app.addHook('onRequest', async () => {})
    app.get('/', () => 'ok')
    expect((await app.inject({ url: '/', headers: { traceparent: 'x' } })).payload).toBe('ok')
  })
})
