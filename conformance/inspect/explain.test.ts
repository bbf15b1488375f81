// `app.explain`: an app and its routes as frozen JSON.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { cloister, definePlugin } from 'cloister'
import type { CloisterInstance, MissingRoute, RouteConstraints, RouteExplanation } from 'cloister'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isPeer } from '../harness/subject.ts'

const schema: object = JSON.parse(
  readFileSync(new URL('../../docs/explanation.schema.json', import.meta.url), 'utf8'),
)
const page = { type: 'object', properties: { page: { type: 'integer' } } }

const validate = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true }).compile(schema)

type App = Pick<CloisterInstance, 'explain' | 'ready'>

function buildApp(): App {
  const bare = cloister({ bodyLimit: 5000, logger: { level: 'error', stream: { write() {} } } })
  bare.decorate('db', { find: () => 1 })
  bare.setErrorHandler(function rootErrors(_error, _request, reply) {
    reply.code(500).send('root')
  })
  const app = bare.addSchema({
    $id: 'user',
    type: 'object',
    properties: { id: { type: 'integer' } },
  } as const)
  app.register(
    definePlugin({
      name: 'auth',
      encapsulate: false,
      plugin: async (instance) => {
        instance.decorateRequest('user', null)
        instance.addHook('onRequest', async function authenticate() {})
      },
    }),
  )
  app.register(
    async function users(child: typeof app) {
      child.decorate('db', { find: () => 2 })
      child.setGenReqId(() => 'id')
      child.setNotFoundHandler(function noUser(_request, reply) {
        reply.code(404).send('no user')
      })
      child.addContentTypeParser('text/csv', { parseAs: 'string', bodyLimit: 7 }, async () => 1)
      child.get(
        '/:id',
        {
          bodyLimit: 1000,
          handlerTimeout: 200,
          logLevel: 'warn',
          preHandler: async function own() {},
          errorHandler: function ownErrors(_error, _request, reply) {
            reply.code(500).send('own')
          },
          schema: {
            params: { id: { type: 'integer' } },
            response: { 200: { $ref: 'user#' }, '4xx': { type: 'string' } },
          },
        },
        async function readUser() {
          return { id: 1 }
        },
      )
      child.post(
        '/',
        {
          schema: {
            querystring: z.object({ page: z.string() }),
            body: { content: { 'application/json': { schema: { $ref: 'user#' } } } },
          },
        },
        () => 'made',
      )
      child.get('/files/:name(^\\d+$).txt', () => 'file')
      child.get('/versions', { constraints: { version: '1.2.0' } }, () => 'v1')
    },
    { prefix: '/users' },
  )
  return app
}

async function readyApp(): Promise<App> {
  const app = buildApp()
  await app.ready()
  return app
}

async function routeOf(
  method: string,
  url: string,
  constraints?: RouteConstraints,
): Promise<RouteExplanation> {
  const explanation = (await readyApp()).explain(method, url, constraints)
  if (explanation.kind !== 'route') throw new Error(`${method} ${url} is ${JSON.stringify(explanation)}`)
  return explanation
}

async function missing(method: string, url: string): Promise<MissingRoute> {
  const explanation = (await readyApp()).explain(method, url)
  if (explanation.kind !== 'missing') throw new Error(`${method} ${url} is there`)
  return explanation
}

/** The paths of objects that are not frozen, and of values that JSON does not have. */
function faultsOf(value: unknown, path = '$'): string[] {
  if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) return [path]
  if (typeof value !== 'object' || value === null) return []
  const own = Object.isFrozen(value) ? [] : [path]
  return [...own, ...Object.entries(value).flatMap(([key, one]) => faultsOf(one, `${path}.${key}`))]
}

describe.skipIf(isPeer)('explain', () => {
  it('returns frozen JSON as its schema says, for the app, each route and a missing one', async () => {
    const app = await readyApp()
    const all = [
      app.explain(),
      app.explain('GET', '/users/7'),
      app.explain('HEAD', '/users/7'),
      app.explain('POST', '/users'),
      app.explain('GET', '/users/versions', { version: '1.2.0' }),
      app.explain('GET', '/user/7'),
    ]
    expect(all.map(({ kind }) => kind)).toEqual(['app', 'route', 'route', 'route', 'route', 'missing'])
    for (const one of all) {
      expect(faultsOf(one)).toEqual([])
      validate(JSON.parse(JSON.stringify(one)))
      expect(validate.errors).toBeNull()
    }
  })

  it('names files in folders whose names have spaces, parentheses and percent signs', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'my notes 100% (copy) '))
    const file = path.join(folder, 'routes.cjs')
    writeFileSync(
      file,
      `const named = (app) => app.get('/named', () => 'ok')
module.exports = (app) => {
  named(app)
  ;((child) => child.get('/unnamed', () => 'ok'))(app)
}`,
    )
    try {
      const app = cloister()
      createRequire(import.meta.url)(file)(app)
      await app.ready()
      const sites = ['/named', '/unnamed'].map((url) => {
        const found = app.explain('GET', url)
        return found.kind === 'route' && found.callSite
      })
      expect(sites).toEqual([`${file}:1`, `${file}:4`])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('names files and lines that exist, of this file', async () => {
    const app = await readyApp()
    const text = JSON.stringify([app.explain(), app.explain('GET', '/users/7')])
    const sites = [...text.matchAll(/"callSite":"([^"]+):(\d+)"/g)]
    expect(sites.length).toBeGreaterThan(20)
    for (const [, file = '', line] of sites) {
      expect(file).toMatch(/explain\.test\.ts$/)
      expect(existsSync(file)).toBe(true)
      expect(Number(line)).toBeLessThanOrEqual(readFileSync(file, 'utf8').split('\n').length)
    }
  })

  it('takes a URL with values, a query or the path of the route, in any letter case of the method', async () => {
    expect(await routeOf('GET', '/users/7')).toMatchObject({ url: '/users/:id', params: { id: '7' } })
    expect(await routeOf('get', '/users/7?page=2')).toMatchObject({ url: '/users/:id', params: { id: '7' } })
    expect(await routeOf('GET', '/users/:id')).toMatchObject({ url: '/users/:id', params: {} })
    expect(await routeOf('GET', '/users/files/:name(^\\d+$).txt')).toMatchObject({ method: 'GET' })
  })

  it('has where a route is from, and who added its hooks', async () => {
    const { callSite: _site, ...route } = await routeOf('GET', '/users/7')
    expect(route).toMatchObject({
      method: 'GET',
      context: 'root > users',
      plugin: 'root > users',
      handler: 'readUser',
      automatic: false,
    })
    expect(route.hooks).toMatchObject([
      { name: 'onRequest', fn: 'authenticate', context: 'root', plugin: 'root > auth', source: 'context' },
      { name: 'preHandler', fn: 'own', context: 'root > users', plugin: 'root > users', source: 'route' },
    ])
    expect(route.errorHandlers.map(({ fn, source }) => [fn, source])).toEqual([
      ['ownErrors', 'route'],
      ['rootErrors', 'context'],
    ])
  })

  it('has the decorators that a route sees: of one name, the nearest', async () => {
    const { decorators } = await routeOf('GET', '/users/7')
    expect(decorators.map(({ kind, name, context, plugin }) => [kind, name, context, plugin])).toEqual([
      ['instance', 'db', 'root > users', 'root > users'],
      ['request', 'user', 'root', 'root > auth'],
    ])
  })

  it('has the limits, and who set them', async () => {
    expect(await routeOf('GET', '/users/7')).toMatchObject({
      body: { rule: 'never', limit: 1000, limitSetBy: 'route', parsers: [] },
      handlerTimeout: 200,
      handlerTimeoutSetBy: 'route',
      logLevel: 'warn',
    })
    expect(await routeOf('POST', '/users')).toMatchObject({
      body: { rule: 'expected', limit: 5000, limitSetBy: 'app' },
      handlerTimeout: 0,
      handlerTimeoutSetBy: 'app',
      requestTimeout: 300_000,
      logLevel: 'error',
    })
  })

  it('has the body parsers with their origins; those of the framework have none', async () => {
    const { body } = await routeOf('POST', '/users')
    expect(body.parsers.map(({ type, plugin, bodyLimit }) => [type, plugin, bodyLimit])).toEqual([
      ['text/csv', 'root > users', 7],
      ['text/plain', null, null],
      ['application/json', null, null],
    ])
  })

  it('has which schema validates which part, where it is from and what compiles it', async () => {
    const { validators } = await routeOf('POST', '/users')
    expect(validators).toMatchObject([
      { part: 'body', mediaType: 'application/json', key: 'user#', by: 'engine', compiler: null },
      { part: 'querystring', mediaType: null, key: null, by: 'standard-schema', tier: null, ajv: null },
    ])
    const app = await readyApp()
    const [shared] = app.explain().contexts.schemas
    expect(validators[0]?.callSite).toBe(shared?.callSite)
  })

  it('has the serializers by status and media type', async () => {
    const { serializers } = await routeOf('GET', '/users/7')
    expect(serializers).toMatchObject([
      { status: '200', mediaType: null, key: 'user#', by: 'engine', mode: 'compat' },
      { status: '4xx', mediaType: null, key: null, by: 'engine' },
    ])
  })

  it.each([
    ['hot', {}, 'closures'],
    ['always', {}, 'code'],
  ] as const)(
    'says in which form functions run, with codeGeneration %s',
    async (codeGeneration, more, tier) => {
      const app = cloister({ codeGeneration, ...more })
      app.get('/', { schema: { querystring: page, response: { 200: page } } }, () => ({ page: 1 }))
      await app.ready()
      expect(app.explain('GET', '/')).toMatchObject({
        validators: [{ tier, ajv: 'never' }],
        serializers: [{ tier }],
      })
    },
  )

  it('says that closures have become code after many calls', async () => {
    const app = cloister()
    app.get('/', { schema: { querystring: page, response: { 200: page } } }, () => ({ page: 1 }))
    const seen = (): unknown[] => {
      const found = app.explain('GET', '/')
      return found.kind === 'route' ? [...found.validators, ...found.serializers].map(({ tier }) => tier) : []
    }
    await app.ready()
    expect(seen()).toEqual(['closures', 'closures'])
    for (let call = 0; call < 5100; call++) await app.inject('/?page=1')
    // Each function has a turn of the event loop of its own.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(seen()).toEqual(['code', 'code'])
  })

  it('says which values Ajv sees', async () => {
    const app = cloister({ ajv: { customOptions: { keywords: ['x-note'] } } })
    app.get('/', { schema: { querystring: page } }, () => 'ok')
    await app.ready()
    expect(app.explain('GET', '/')).toMatchObject({ validators: [{ tier: null, ajv: 'always' }] })
  })

  it('names the compiler of the application that compiles a schema', async () => {
    const app = cloister()
    app.setValidatorCompiler(() => () => true)
    app.get('/', { schema: { querystring: { a: { type: 'string' } } } }, () => 'ok')
    await app.ready()
    const explanation = app.explain('GET', '/')
    const { settings } = app.explain().contexts
    expect(settings).toMatchObject([{ name: 'validatorCompiler', plugin: 'root' }])
    expect(explanation).toMatchObject({
      logLevel: 'silent',
      validators: [{ by: 'application', compiler: settings[0]?.callSite }],
    })
  })

  it('has what each context adds, and how long it took to load', async () => {
    const { contexts } = (await readyApp()).explain()
    const [users] = contexts.children
    expect(contexts).toMatchObject({ name: 'root', plugins: ['root', 'auth'], schemas: [{ id: 'user' }] })
    expect(users).toMatchObject({
      path: 'root > users',
      prefix: '/users',
      decorators: [{ kind: 'instance', name: 'db' }],
      parsers: [{ type: 'text/csv' }],
      settings: [{ name: 'genReqId', plugin: 'root > users' }],
      notFoundHandler: { fn: 'noUser' },
    })
    expect(users?.tookMs).toBeLessThanOrEqual(contexts.tookMs)
  })

  it('names as the plugin of an after callback the one that added it', async () => {
    const app = cloister()
    app.register(async function outer(child) {
      child.after(() => {
        child.addHook('onRequest', async () => {})
        child.register(async function late() {})
      })
      child.get('/', () => 'ok')
    })
    await app.ready()
    expect(app.explain('GET', '/')).toMatchObject({ hooks: [{ plugin: 'root > outer' }] })
    const paths = app
      .explain()
      .contexts.children.flatMap(({ path, children }) => [path, ...children.map((child) => child.path)])
    expect(paths).toEqual(['root > outer', 'root > outer > late'])
  })
})

describe.skipIf(isPeer)('explain for a URL without a route', () => {
  it('names the nearest routes and why each does not match', async () => {
    const { nearest } = await missing('GET', '/user/7')
    expect(nearest[0]).toMatchObject({
      method: 'GET',
      url: '/users/:id',
      why: ["it has 'users' where the URL has 'user'"],
    })
  })

  it.each([
    ['DELETE', '/users/7', '/users/:id', 'it is for GET, not for DELETE'],
    ['GET', '/Users/7', '/users/:id', "it has 'users' where the URL has 'Users': another letter case"],
    ['GET', '/users/7/', '/users/:id', 'the URL ends with a slash, its path does not'],
    ['GET', '/users/7/posts', '/users/:id', "its path ends before '/posts'"],
    [
      'GET',
      '/users/files/a.txt',
      '/users/files/:name(^\\d+$).txt',
      "'a.txt' does not match ':name(^\\d+$).txt'",
    ],
    ['PUT', '/users', '/users', 'it is for POST, not for PUT'],
    ['GET', 'users/7', '/users/:id', 'the URL does not begin with a slash'],
  ])('%s %s: %s, %s', async (method, url, route, why) => {
    const { nearest } = await missing(method, url)
    expect(nearest[0]).toMatchObject({ url: route, why: [why] })
  })

  it('says which of the two paths ends first, with a slash or without', async () => {
    const app = cloister()
    app.get('/users/', () => 'all')
    app.get('/users/me/posts', () => 'posts')
    await app.ready()
    const first = (url: string): unknown => {
      const explanation = app.explain('GET', url)
      return explanation.kind === 'missing' ? explanation.nearest[0] : null
    }
    expect(first('/users/7')).toMatchObject({ url: '/users/', why: ["its path ends before '/7'"] })
    const why = ["the URL ends before '/posts'"]
    expect(first('/users/me/')).toMatchObject({ url: '/users/me/posts', why })
  })

  it('prefers a path that begins as the URL does, or as which the URL begins', async () => {
    const app = cloister()
    for (const url of ['/', '/cooks', '/tables', '/menus', '/bills', '/dishes', '/pay'])
      app.get(url, () => 'ok')
    await app.ready()
    const first = (url: string): unknown => {
      const explanation = app.explain('GET', url)
      return explanation.kind === 'missing' ? explanation.nearest[0]?.url : null
    }
    expect(first('/dish')).toBe('/dishes')
    expect(first('/payments')).toBe('/pay')
  })

  it('prefers a plural or a cut word to one with other letters, and any word to the root', async () => {
    const app = cloister()
    for (const url of ['/', '/fish', '/dishes', '/docs', '/docs/*']) app.get(url, () => 'ok')
    app.post('/orders', () => 'ok')
    await app.ready()
    const first = (method: string, url: string): unknown => {
      const explanation = app.explain(method, url)
      return explanation.kind === 'missing' ? explanation.nearest[0]?.url : null
    }
    expect(first('GET', '/dish')).toBe('/dishes')
    expect(first('POST', '/dish')).toBe('/dishes')
    expect(first('GET', '/order')).toBe('/orders')
  })

  it('says which constraints a route wants', async () => {
    const app = cloister()
    app.get('/versions', { constraints: { version: '1.2.0' } }, () => 'v1')
    await app.ready()
    const why = ['it wants the constraint version to be 1.2.0']
    expect(app.explain('GET', '/versions')).toMatchObject({ kind: 'missing', nearest: [{ why }] })
    const other = ['it wants the constraint version to be 1.2.0, not 2.0.0']
    expect(app.explain('GET', '/versions', { version: '2.0.0' })).toMatchObject({ nearest: [{ why: other }] })
  })

  it('names none where none is near, or the URL cannot be decoded', async () => {
    expect((await missing('GET', '/nothing/at/all/here')).nearest).toEqual([])
    expect((await missing('GET', '/users%')).nearest).toEqual([])
  })
})

describe.skipIf(isPeer)('explain refuses', () => {
  it('a route before the app is ready, and says what to do', () => {
    const app = buildApp()
    expect(() => app.explain('GET', '/users/7')).toThrow(/await app\.ready\(\) first/)
    expect(app.explain().contexts.children).toEqual([])
  })

  it('a method without a URL', async () => {
    const app = await readyApp()
    const explain: (...args: unknown[]) => unknown = Reflect.get(app, 'explain')
    expect(() => explain.call(app, 'GET')).toThrow(/got string and undefined/)
  })
})

describe.skipIf(isPeer)('explain has the extensions of a schema', () => {
  it('as their values describe themselves, without those that JSON cannot express', async () => {
    const app = cloister()
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const extensions = { 'x-owner': 'team a', 'x-topic': { toJSON: () => ({ name: 'news' }) } }
    const schema = { ...extensions, 'x-circle': circle, 'x-function': () => 1, summary: 'One' }
    app.get('/', { schema }, () => 'ok')
    app.get('/none', () => 'ok')
    await app.ready()
    const found = app.explain('GET', '/')
    expect(found).toMatchObject({ kind: 'route' })
    expect(Reflect.get(found, 'extensions')).toEqual({ 'x-owner': 'team a', 'x-topic': { name: 'news' } })
    expect(validate(found)).toBe(true)
    expect(app.explain('GET', '/none')).toMatchObject({ extensions: {} })
  })
})
