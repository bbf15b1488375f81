// Options of the router that take the raw request and respond themselves, before any hook.
import { callMember } from '../call-member.ts'
import { describeTransports } from '../harness/transports.ts'

const says =
  (text: string) =>
  (...args: readonly unknown[]): void => {
    callMember(Object(args.at(-1)), 'end', text)
  }

describeTransports('responses of the router', ({ createApp, send, expect, overNode, since5, line4 }) => {
  const NEW = '4.x has none of these options'
  const RAW = 'these functions get the raw objects'

  overNode(RAW, since5(NEW))('come from defaultRoute where no route is found', async () => {
    const app = createApp({ routerOptions: { defaultRoute: says('no route') } })
    app.get('/here', () => 'here')
    expect((await send(app, { path: '/nowhere' })).text).toBe('no route')
    expect((await send(app, { path: '/here' })).text).toBe('here')
  })

  overNode(RAW, since5(NEW))('come from onBadUrl where a path cannot be decoded', async () => {
    const app = createApp({ routerOptions: { onBadUrl: says('bad') } })
    app.get('/:name', () => 'named')
    expect((await send(app, { path: '/%zz' })).text).toBe('bad')
  })

  overNode(RAW, since5(NEW))('come from onMaxParamLength where a param is too long', async () => {
    const app = createApp({ routerOptions: { onMaxParamLength: says('long'), maxParamLength: 3 } })
    app.get('/:name', () => 'named')
    expect((await send(app, { path: '/four' })).text).toBe('long')
    expect((await send(app, { path: '/yes' })).text).toBe('named')
  })

  since5('4.x has no such option')('match the same with compile, which is off unless asked for', async () => {
    const app = createApp({
      routerOptions: { compile: true, ignoreTrailingSlash: true, caseSensitive: false },
    })
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-route', request.routeOptions.url ?? 'none')
    })
    app.get('/users/:id', (request) => request.params)
    app.get('/files/*', (request) => request.params)
    app.get('/:day(^\\d+$)-:month', (request) => request.params)
    app.get('/versioned', { constraints: { version: '2.0.0' } }, () => 'two')
    app.register(
      async (child) => {
        child.setNotFoundHandler((_request, reply) => reply.code(404).send('of the child'))
        child.get('/', () => 'child')
      },
      { prefix: '/child' },
    )
    const ask = async (path: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
      const { status, text } = await send(app, { path, headers })
      return [status, text]
    }
    expect(await ask('/Users/caf%C3%A9/?q=1')).toEqual([200, '{"id":"café"}'])
    expect(await ask('/files/a/b')).toEqual([200, '{"*":"a/b"}'])
    expect(await ask('/12-may')).toEqual([200, '{"day":"12","month":"may"}'])
    expect(await ask('/versioned', { 'accept-version': '2.x' })).toEqual([200, 'two'])
    expect((await ask('/versioned'))[0]).toBe(404)
    expect(await ask('/child/nowhere')).toEqual([404, 'of the child'])
    expect((await ask('/users/%zz'))[0]).toBe(400)
  })

  since5('4.x has no such options')(
    'are shown in initialConfig, with the defaults, where some were given',
    () => {
      const { initialConfig } = createApp({ routerOptions: { caseSensitive: false } })
      expect(initialConfig['routerOptions']).toMatchObject({
        caseSensitive: false,
        compile: false,
        ignoreTrailingSlash: false,
        maxParamLength: 100,
      })
      expect(createApp().initialConfig['routerOptions']).toBe(undefined)
    },
  )

  line4('5.x has no such option')('follow the strategy that versioning gives', async () => {
    const storage = (): object => {
      const handlers = new Map<string, unknown>()
      return {
        get: (version: string) => handlers.get(version) ?? null,
        set: (version: string, handler: unknown) => handlers.set(version, handler),
      }
    }
    const deriveVersion = ({ headers }: { headers: Record<string, string> }): string | undefined =>
      headers['x-version']
    const app = createApp({ versioning: { storage, deriveVersion } })
    app.get('/', { constraints: { version: '1' }, handler: () => 'one' })
    app.get('/', { constraints: { version: '2' }, handler: () => 'two' })
    const takeNumber = (): unknown => app.get('/', { constraints: { version: 3 }, handler: () => 'three' })
    expect(takeNumber).toThrow(/Version constraint should be a string, got number/)
    expect((await send(app, { path: '/', headers: { 'x-version': '2' } })).text).toBe('two')
    expect((await send(app, { path: '/', headers: { 'x-version': '3' } })).status).toBe(404)
  })
})
