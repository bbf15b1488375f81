// `inspectRoutes`: the routes of an app with their schemas, for tools that write documents or code.
import { isSchemaObject } from '@cloister/schema/internal'
import { cloister } from 'cloister'
import { inspectRoutes } from 'cloister/inspect'
import type { InspectedRoute } from 'cloister/inspect'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

function find(routes: readonly InspectedRoute[], url: string): InspectedRoute {
  const route = routes.find(({ description }) => description.url === url && description.method !== 'HEAD')
  if (route === undefined) throw new Error(`no route ${url}`)
  return route
}

/** Resolves a reference as the route does. */
function resolve({ scope }: InspectedRoute, schema: unknown): unknown {
  const root = scope.open(schema)
  const ref: unknown = isSchemaObject(root.schema) ? root.schema['$ref'] : undefined
  return typeof ref === 'string' ? scope.resolve(root, ref)?.schema : undefined
}

describe('inspectRoutes', () => {
  it('resolves the references of a route in its own context', async () => {
    const app = cloister()
    for (const type of ['string', 'integer'] as const) {
      app.register(async (child) => {
        const typed = child.addSchema({ $id: 'id', type })
        typed.get(`/${type}`, { schema: { response: { 200: { $ref: 'id#' } } } }, () => '1')
      })
    }
    await app.ready()
    const routes = inspectRoutes(app)
    const types = ['string', 'integer'].map((type) => {
      const route = find(routes, `/${type}`)
      return resolve(route, route.schema.response?.get('200')?.schema)
    })
    expect(types).toEqual([
      { $id: 'id', type: 'string' },
      { $id: 'id', type: 'integer' },
    ])
  })

  it('gives schemas in full form, with the route that they belong to', async () => {
    const app = cloister()
    app.post(
      '/:id',
      { schema: { query: { page: { type: 'integer' } }, response: { '2XX': { ok: { type: 'boolean' } } } } },
      function create() {
        return { ok: true }
      },
    )
    await app.ready()
    const { description, schema } = find(inspectRoutes(app), '/:id')
    expect(description).toMatchObject({ method: 'POST', handler: 'create', context: 'root' })
    expect(description.callSite).toMatch(/routes\.test\.ts:\d+$/)
    expect(schema.querystring).toEqual({ type: 'object', properties: { page: { type: 'integer' } } })
    expect([...(schema.response ?? [])]).toEqual([
      ['2xx', { schema: { type: 'object', properties: { ok: { type: 'boolean' } } } }],
    ])
  })

  it('shows schemas of libraries as JSON Schema: input of requests, output of responses', async () => {
    const app = cloister()
    const size = z.object({ size: z.number().default(3) })
    app.post('/', { schema: { body: size, response: { 200: size } } }, () => ({ size: 1 }))
    const own = {
      '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) },
    } as const
    app.post('/own', { schema: { body: own } }, () => 'own')
    await app.ready()
    const { schema } = find(inspectRoutes(app), '/')
    expect(schema.body).toMatchObject({ properties: { size: { type: 'number', default: 3 } } })
    expect(schema.body).not.toHaveProperty('required')
    expect(schema.response?.get('200')?.schema).toMatchObject({ required: ['size'] })
    expect(find(inspectRoutes(app), '/own').schema.body).toBe(own)
  })

  it('gives what the application wrote beside the schemas, its configuration, and the functions of hooks', async () => {
    const app = cloister()
    async function first(): Promise<void> {}
    async function second(): Promise<void> {}
    app.addHook('preHandler', second)
    const response = { 200: { description: 'done', type: 'string' } }
    const schema = { summary: 'does it', headers: { 'X-Key': { type: 'string' } }, response } as const
    app.put('/', { schema, config: { rank: 1 }, onRequest: first }, () => 'done')
    await app.ready()
    const route = find(inspectRoutes(app), '/')
    expect(route.written).toMatchObject({ summary: 'does it', response })
    expect(route.written['headers']).toMatchObject({ properties: { 'X-Key': { type: 'string' } } })
    expect(route.config).toEqual({ rank: 1 })
    expect(route.hooks).toEqual([first, second])
    expect(route.description.hooks.map(({ fn }) => fn)).toEqual(['first', 'second'])
  })

  it('marks the second path of a route that a prefix gives two', async () => {
    const app = cloister()
    for (const url of ['/a', '/a/']) app.get(url, () => url)
    app.register(
      async (child) => {
        child.get('/', () => 'notes')
        child.get('/one', { prefixTrailingSlash: 'slash' }, () => 'one')
      },
      { prefix: '/notes' },
    )
    await app.ready()
    const seconds = inspectRoutes(app).filter(({ isSecondPath }) => isSecondPath)
    expect(seconds.map(({ description: { method, url } }) => `${method} ${url}`)).toEqual([
      'GET /notes/',
      'HEAD /notes/',
    ])
  })

  it('knows which routes take a body, and which need one', async () => {
    const app = cloister()
    app.get('/none', () => '')
    app.post('/any', () => '')
    app.post('/needed', { schema: { body: { type: 'object' } } }, () => '')
    app.post('/nullable', { schema: { body: { type: ['object', 'null'] } } }, () => '')
    const content = { 'text/plain': { schema: { type: 'string' } } } as const
    app.post('/types', { schema: { body: { content } } }, () => '')
    await app.ready()
    const routes = inspectRoutes(app)
    const facts = ['/none', '/any', '/needed', '/nullable', '/types'].map((url) => {
      const { bodyRule, requiresBody } = find(routes, url)
      return [url, bodyRule === 'never', requiresBody]
    })
    expect(facts).toEqual([
      ['/none', true, false],
      ['/any', false, false],
      ['/needed', false, true],
      ['/nullable', false, false],
      ['/types', false, true],
    ])
  })

  it('refuses what is no app, and an app that is not ready', () => {
    const app = cloister()
    app.get('/', () => 'hello')
    expect(() => inspectRoutes(app)).toThrow(/Cannot explain GET \/ yet.*await app\.ready\(\)/)
    const refused = (): unknown => Reflect.apply(inspectRoutes, undefined, [{}])
    expect(refused).toThrow('inspectRoutes takes an app of this framework, got object')
    const ofOther = (): unknown => Reflect.apply(inspectRoutes, undefined, [{ explain: () => ({}) }])
    expect(ofOther).toThrow('got one of another copy of cloister; install one copy')
  })
})
