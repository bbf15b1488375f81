// Defining routes: shortcuts, options, duplicates, HEAD, questions about routes.
import { describe, expect, it } from 'vitest'
import { callMember } from '../call-member.ts'
import type { Handler } from '../harness/app-shape.ts'
import { code, isPeer } from '../harness/subject.ts'
import { describeTransports, line4, ours, since5, useApps } from '../harness/transports.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const

describeTransports('routing: shortcuts', ({ createApp, send, it, expect }) => {
  it('has a shortcut for every common method', async () => {
    const app = createApp({ exposeHeadRoutes: false })
    app.get('/', () => 'GET')
    app.post('/', () => 'POST')
    app.put('/', () => 'PUT')
    app.patch('/', () => 'PATCH')
    app.delete('/', () => 'DELETE')
    app.options('/', () => 'OPTIONS')
    app.head('/', (_request, reply) => void reply.header('x-method', 'HEAD').send())
    for (const method of METHODS) {
      const response = await send(app, { method, path: '/' })
      expect(method === 'HEAD' ? response.headers['x-method'] : response.text).toBe(method)
    }
  })

  it('routes all supported methods with all()', async () => {
    const app = createApp()
    app.all('/', (request) => request.method)
    for (const method of METHODS.slice(0, 6))
      expect((await send(app, { method, path: '/' })).text).toBe(method)
  })

  it('takes url or path, one method or a list, in any letter case', async () => {
    const app = createApp()
    app.route({ method: 'GET', url: '/url', handler: () => 'url' })
    app.route({ method: 'get', path: '/path', handler: () => 'path' })
    app.route({ method: ['POST', 'PUT'], url: '/list', handler: (request) => request.method })
    expect((await send(app, { path: '/url' })).text).toBe('url')
    expect((await send(app, { path: '/path' })).text).toBe('path')
    expect((await send(app, { method: 'PUT', path: '/list' })).text).toBe('PUT')
  })

  it('takes the handler from the options', async () => {
    const app = createApp()
    app.get('/', { handler: () => 'from options' })
    expect((await send(app, { path: '/' })).text).toBe('from options')
  })
})

describeTransports('routing: HEAD routes', ({ createApp, send, it, line4: only4, expect }) => {
  it('exposes HEAD for every GET by default, and not without exposeHeadRoutes', async () => {
    const app = createApp()
    app.get('/exposed', () => 'x')
    app.get('/hidden', { exposeHeadRoute: false }, () => 'x')
    expect((await send(app, { method: 'HEAD', path: '/exposed' })).status).toBe(200)
    expect((await send(app, { method: 'HEAD', path: '/hidden' })).status).toBe(404)
    const without = createApp({ exposeHeadRoutes: false })
    without.get('/', () => 'x')
    without.get('/shown', { exposeHeadRoute: true }, () => 'x')
    expect((await send(without, { method: 'HEAD', path: '/' })).status).toBe(404)
    expect((await send(without, { method: 'HEAD', path: '/shown' })).status).toBe(200)
  })

  it('says of an exposed HEAD without a payload that there is none', async () => {
    const app = createApp()
    app.get('/', (_request, reply) => void reply.send())
    expect((await send(app, { method: 'HEAD', path: '/' })).headers['content-length']).toBe('0')
  })

  it('gives onRoute hooks the options of an exposed HEAD route, the same as those of its GET route', async () => {
    const app = createApp()
    const seen: Record<string, unknown>[] = []
    app.addHook('onRoute', (options) => void seen.push({ ...options }))
    app.register(
      async (child) => {
        const response = { 200: { type: 'string' } }
        const shared = { config: { a: 1 }, schema: { response }, attachValidation: true, own: {} }
        const limits = { bodyLimit: 5, logLevel: 'warn', handlerTimeout: 60_000 }
        const hooks = { preHandler: [async () => undefined], onSend: async () => undefined }
        child.get('/x', { ...shared, ...limits, ...hooks, constraints: { host: 'a' } }, () => 'x')
        child.get('/y', () => 'y')
        child.get('/', { exposeHeadRoute: true }, () => 'both')
      },
      { prefix: '/p', logLevel: 'error' },
    )
    await app.ready()
    const of = (method: string, url: string): Record<string, unknown> | undefined =>
      seen.find((one) => one['method'] === method && one['url'] === url)
    expect(seen.map(({ method, url }) => `${String(method)} ${String(url)}`)).toEqual(
      expect.arrayContaining(['GET /p/x', 'HEAD /p/x', 'GET /p/y', 'HEAD /p/y', 'HEAD /p', 'HEAD /p/']),
    )
    for (const url of ['/p/x', '/p/y']) {
      // The peers add a hook that counts the payload; here the path of the route does it.
      const { onSend: _one, ...get } = of('GET', url) ?? {}
      const { onSend, ...head } = of('HEAD', url) ?? {}
      expect(head).toEqual({ ...get, method: 'HEAD' })
      for (const name of ['config', 'handler', 'preHandler', 'own']) expect(head[name]).toBe(get[name])
      expect(onSend === undefined).toBe(!isPeer && url === '/p/y')
    }
  })

  ours('the peers overwrite it with 0')(
    'keeps the length that a handler gives a response without a payload to HEAD',
    async () => {
      const app = createApp()
      app.get('/', (_request, reply) => void reply.header('content-length', '5').send())
      expect((await send(app, { method: 'HEAD', path: '/' })).headers['content-length']).toBe('5')
    },
  )

  it('keeps a HEAD route that was written by hand before its GET', async () => {
    const app = createApp()
    app.head('/', (_request, reply) => void reply.header('x-own', 'yes').send())
    app.get('/', () => 'x')
    expect((await send(app, { method: 'HEAD', path: '/' })).headers['x-own']).toBe('yes')
  })

  only4('5.x refuses it')('replaces an exposed HEAD route by one that is written after its GET', async () => {
    const app = createApp()
    app.get('/', () => 'x')
    app.head('/', (_request, reply) => void reply.header('x-own', 'yes').send())
    expect((await send(app, { method: 'HEAD', path: '/' })).headers['x-own']).toBe('yes')
  })

  it('runs the hooks of GET for HEAD', async () => {
    const app = createApp()
    app.get('/', {
      preHandler: async (_request, reply) => reply.code(401).send('closed'),
      handler: () => 'x',
    })
    expect((await send(app, { method: 'HEAD', path: '/' })).status).toBe(401)
  })
})

describe('routing: what is refused', () => {
  const createApp = useApps()

  it('refuses a route that is there, and names it', () => {
    const app = createApp()
    app.get('/twice', () => 'x')
    expect(() => app.get('/twice', () => 'y')).toThrow(
      expect.objectContaining({ code: code('DUPLICATED_ROUTE') }),
    )
    expect(() => app.get('/twice', () => 'y')).toThrow(/GET.*\/twice/)
  })

  ours('4.x warns; 5.x ignores some')('refuses a schema that is null, with the place of the route', () => {
    const parts = ['body', 'querystring', 'query', 'params', 'headers', 'response', 'incoming', 'outgoing']
    for (const part of parts) {
      for (const strict of [false, true]) {
        const define = (): unknown =>
          createApp({ strict }).post('/:id', { schema: { [part]: null } }, () => 'x')
        expect(define).toThrow(new RegExp(`POST:/:id .*'${part}' is null.*definition\\.test\\.ts:\\d+`))
      }
    }
  })

  ours('the peers compile it, or not, when ready')('refuses a schema that a hook sets to null', () => {
    const app = createApp()
    app.addHook('onRoute', (route) => {
      route.schema = { body: null }
    })
    expect(() => app.post('/', () => 'x')).toThrow("'body' is null")
  })

  ours('the peers do not say where')('names both places of a duplicate', () => {
    const app = createApp()
    app.get('/twice', () => 'x')
    expect(() => app.get('/twice', () => 'y')).toThrow(/definition\.test\.ts:\d+/)
  })

  ours('a timer of 5.x that is longer fires at once; 4.x has no such option')(
    'refuses a handlerTimeout that no timer can wait for',
    () => {
      const app = createApp()
      const define = (handlerTimeout: number) => () => app.get('/', { handlerTimeout }, () => 'x')
      expect(define(2 ** 31)).toThrow(
        expect.objectContaining({ code: code('ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT') }),
      )
      expect(define(2 ** 31)).toThrow('at most 2147483647')
      expect(define(2 ** 31 - 1)).not.toThrow()
    },
  )

  it('refuses a route without a handler, with two, or with options that are no object', () => {
    const app = createApp()
    const get =
      (...call: unknown[]): (() => unknown) =>
      () =>
        Reflect.apply(app.get, app, call)
    expect(get('/', {})).toThrow(expect.objectContaining({ code: code('ROUTE_MISSING_HANDLER') }))
    expect(get('/', { handler: () => 'x' }, () => 'y')).toThrow(
      expect.objectContaining({ code: code('ROUTE_DUPLICATED_HANDLER') }),
    )
    expect(get('/', 'text', () => 'x')).toThrow(
      expect.objectContaining({ code: code('ROUTE_OPTIONS_NOT_OBJ') }),
    )
  })

  ours('the peers raise a TypeError of their own')('refuses a handler that is no function', () => {
    const app = createApp()
    const wrong: unknown = { method: 'GET', url: '/', handler: 'text' }
    expect(() => Reflect.apply(app.route, app, [wrong])).toThrow(
      expect.objectContaining({ code: code('ROUTE_HANDLER_NOT_FN') }),
    )
  })

  it('refuses methods that are not supported or not text', () => {
    const app = createApp()
    expect(() => app.route({ method: 'BREW', url: '/', handler: () => 'x' })).toThrow(
      expect.objectContaining({ code: code('ROUTE_METHOD_NOT_SUPPORTED') }),
    )
    const wrong: unknown = { method: 7, url: '/', handler: () => 'x' }
    expect(() => Reflect.apply(app.route, app, [wrong])).toThrow(
      expect.objectContaining({ code: code('ROUTE_METHOD_INVALID') }),
    )
  })

  it('refuses a path that is not text, or does not begin with a slash', () => {
    const app = createApp()
    expect(() => Reflect.apply(app.get, app, [7, () => 'x'])).toThrow(
      expect.objectContaining({ code: code('INVALID_URL') }),
    )
    expect(() => app.get('no-slash', () => 'x')).toThrow()
  })

  ours('the peers raise an AssertionError')('refuses a version that is no text', () => {
    const app = createApp()
    expect(() =>
      app.route({ method: 'GET', url: '/', constraints: { version: 1 }, handler: () => 'x' }),
    ).toThrow(expect.objectContaining({ code: code('VERSION_CONSTRAINT_NOT_STR') }))
  })

  it('refuses a shortcut without a path, also below a prefix', async () => {
    const app = createApp()
    app.register(
      async (api) => {
        expect(() => Reflect.apply(api.get, api, [undefined, () => 'x'])).toThrow(
          expect.objectContaining({ code: code('INVALID_URL') }),
        )
      },
      { prefix: '/api' },
    )
    await app.ready()
  })

  it('refuses a body schema on GET and HEAD', () => {
    const app = createApp()
    for (const method of ['GET', 'HEAD']) {
      expect(() => app.route({ method, url: '/', schema: { body: {} }, handler: () => 'x' })).toThrow(
        expect.objectContaining({ code: code('ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED') }),
      )
    }
  })

  ours('the peers ignore what they do not know')(
    'refuses an option of a route that does not exist, with the nearest',
    () => {
      const app = createApp()
      expect(() => app.get('/', { preHandlr: async () => undefined }, () => 'x')).toThrow(
        /preHandlr.*preHandler/s,
      )
      expect(() => app.get('/', { shcema: {} }, () => 'x')).toThrow(/shcema.*schema/s)
    },
  )
})

describe('routing: questions', () => {
  const createApp = useApps()

  it('shows whether a route exists', async () => {
    const app = createApp()
    app.get('/users/:id', () => 'x')
    app.get('/versioned', { constraints: { version: '1.0.0' } }, () => 'x')
    expect(app.hasRoute({ method: 'GET', url: '/users/:id' })).toBe(true)
    expect(app.hasRoute({ method: 'POST', url: '/users/:id' })).toBe(false)
    expect(app.hasRoute({ method: 'GET', url: '/nowhere' })).toBe(false)
    expect(app.hasRoute({ method: 'GET', url: '/versioned', constraints: { version: '1.0.0' } })).toBe(true)
    expect(app.hasRoute({ method: 'GET', url: '/versioned', constraints: { version: '2.0.0' } })).toBe(false)
  })

  it('finds a route', () => {
    const app = createApp()
    app.get('/users/:id', () => 'x')
    expect(app.findRoute({ method: 'GET', url: '/users/:id' })).toMatchObject({ params: { id: ':id' } })
    expect(app.findRoute({ method: 'GET', url: '/nowhere' })).toBeNull()
  })

  it('finds the route that a path reaches, with its parameters', () => {
    const app = createApp()
    app.get('/users/:id', () => 'x')
    expect(app.findRoute({ method: 'GET', url: '/users/42?a=1' })).toMatchObject({
      params: { id: '42' },
      searchParams: { a: '1' },
    })
  })

  ours('the peers do not match their own patterns')('finds a route by its path with a pattern', () => {
    const app = createApp()
    const url = '/:file(^\\d+$)'
    app.get(url, () => 'x')
    expect(app.findRoute({ method: 'GET', url })).not.toBeNull()
  })

  it('prints the routes', async () => {
    const app = createApp()
    app.get('/test', () => 'x')
    app.get('/test/:id', () => 'x')
    app.post('/hello', () => 'x')
    await app.ready()
    const printed = app.printRoutes()
    expect(printed).toContain('test (GET, HEAD)')
    expect(printed).toContain(':id (GET, HEAD)')
    expect(printed).toContain('hello (POST)')
    expect(app.printRoutes({ commonPrefix: false })).toMatch(/test \(GET, HEAD\)/)
    expect(app.printRoutes({ method: 'POST' })).not.toContain('test')
  })

  it('prints the hooks of the routes, and what the framework does for a HEAD that it added', async () => {
    const app = createApp()
    app.addHook('onRequest', async function first() {})
    app.get('/', { onSend: [async function own() {}], preHandler: async function check() {} }, () => 'x')
    app.post('/', { logLevel: 'warn' }, () => 'x')
    await app.ready()
    const lines = (options: object): string[] =>
      app
        .printRoutes({ ...options })
        .trimEnd()
        .split('\n')
    const ofGet = ['    • (onRequest) ["first()"]', '    • (preHandler) ["check()"]']
    expect(lines({ includeHooks: true })).toEqual([
      '└── / (GET)',
      ...ofGet,
      '    • (onSend) ["own()"]',
      '    / (HEAD)',
      ...ofGet,
      '    • (onSend) ["own()","headRouteOnSendHandler()"]',
      '    / (POST)',
      '    • (onRequest) ["first()"]',
    ])
    expect(lines({ includeMeta: true, method: 'POST' })).toEqual([
      '└── / (POST)',
      '    • (errorHandler) "defaultErrorHandler()"',
      '    • (logLevel) "warn"',
      '    • (onRequest) ["first()"]',
    ])
    expect(lines({ includeMeta: ['logLevel'], method: 'POST' })).toEqual([
      '└── / (POST)',
      '    • (logLevel) "warn"',
    ])
    expect(lines({ includeHooks: true, includeMeta: ['logLevel'], method: 'POST' })).toEqual([
      '└── / (POST)',
      '    • (onRequest) ["first()"]',
      '    • (logLevel) "warn"',
    ])
  })

  it('shows a request its route', async () => {
    const app = createApp()
    app.get('/users/:id', { config: { role: 'admin' }, logLevel: 'warn' }, (request) => ({
      url: request.routeOptions.url,
      method: request.routeOptions.method,
      role: request.routeOptions.config['role'],
      level: request.routeOptions['logLevel'],
      limit: request.routeOptions.bodyLimit,
    }))
    expect(JSON.parse((await app.inject('/users/7')).payload)).toEqual({
      url: '/users/:id',
      method: 'GET',
      role: 'admin',
      level: 'warn',
      limit: 1_048_576,
    })
  })

  it('gives config its url and method', async () => {
    const app = createApp()
    app.get('/x', { config: { own: 1 } }, (request) => request.routeOptions.config)
    expect(JSON.parse((await app.inject('/x')).payload)).toMatchObject({ own: 1, url: '/x', method: 'GET' })
  })

  it('shows a request the version of its route', async () => {
    const app = createApp()
    app.get('/x', { constraints: { version: '1.2.0' } }, (request) => ({
      version: request.routeOptions['version'],
    }))
    const response = await app.inject({ url: '/x', headers: { 'accept-version': '1.2.0' } })
    expect(JSON.parse(response.payload)).toEqual({ version: '1.2.0' })
  })

  line4('5.x has routeOptions only')('keeps the old names of the route on the request', async () => {
    const app = createApp()
    app.get('/users/:id', { config: { role: 'admin' } }, (request) => ({
      path: request['routerPath'],
      method: request['routerMethod'],
      config: request['routeConfig'],
    }))
    expect(JSON.parse((await app.inject('/users/7')).payload)).toMatchObject({
      path: '/users/:id',
      method: 'GET',
      config: { role: 'admin' },
    })
  })

  since5('4.x has a fixed list of methods')('lets the app add methods', async () => {
    const app = createApp()
    const { addHttpMethod } = app
    if (typeof addHttpMethod !== 'function') throw new Error('addHttpMethod is missing')
    Reflect.apply(addHttpMethod, app, ['PURGE'])
    app.route({ method: 'PURGE', url: '/cache', handler: () => 'purged' })
    expect((await app.inject({ method: 'PURGE', url: '/cache' })).payload).toBe('purged')
  })

  since5('4.x has a fixed list of methods')('refuses to add a method that Node does not know', () => {
    const app = createApp()
    for (const method of ['NOPE', '', 7]) {
      expect(() => callMember(app, 'addHttpMethod', method)).toThrow(
        expect.objectContaining({ code: code('ROUTE_METHOD_INVALID') }),
      )
    }
  })

  since5('4.x has a fixed list of methods')('lets the app say whether a method has a body', async () => {
    const app = createApp()
    callMember(app, 'addHttpMethod', 'PUT', { hasBody: false, overrideExisting: true })
    callMember(app, 'addHttpMethod', 'GET', { hasBody: true, overrideExisting: true })
    const handler: Handler = (request) => ({ body: request.body ?? null })
    app.route({ method: 'PUT', url: '/', handler }).route({ method: 'GET', url: '/', handler })
    const ask = async (method: string): Promise<unknown> =>
      JSON.parse((await app.inject({ method, url: '/', payload: { a: 1 } })).payload)
    expect(await ask('PUT')).toEqual({ body: null })
    expect(await ask('GET')).toEqual({ body: { a: 1 } })
  })

  it.each([null, false, 0, ''])('refuses %j as a hook of a route', async (onRequest) => {
    const app = createApp()
    const define = async (): Promise<unknown> => {
      callMember(app, 'get', '/', { onRequest }, () => 'x')
      return app.ready()
    }
    await expect(define()).rejects.toThrow(expect.objectContaining({ code: code('HOOK_INVALID_HANDLER') }))
  })

  ours('the peers do not name it')('names the route of a hook, or the options, that are missing', () => {
    const app = createApp()
    const hooked = (): unknown => callMember(app, 'get', '/x', { preHandler: [undefined] }, () => 'x')
    expect(hooked).toThrow(/^preHandler hook .* got undefined \(in the route GET:\/x\)$/)
    expect(() => callMember(app, 'route', undefined)).toThrow('Options for "app.route(undefined)" route')
  })
})
