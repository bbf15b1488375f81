// What tools see of the schemas of a route: `routeOptions.schema`, and the object that onRoute hooks are given.
import { describe, expect, it } from 'vitest'
import type { App, RouteOptions } from '../harness/app-shape.ts'
import { line4, ours, useApps } from '../harness/transports.ts'

/** Without the symbols that the peers leave in it. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema))
}

/** Defines a route and tells what an `onRoute` hook and a request see of its schema. */
async function shownOf(app: App, options: RouteOptions): Promise<unknown[]> {
  const seen: unknown[] = []
  const hooked: Record<string, unknown>[] = []
  app.addHook('onRoute', (route) => void hooked.push(route))
  app.route({
    method: 'POST',
    url: '/',
    ...options,
    handler: (request, reply) => {
      seen.push(plain(request.routeOptions['schema']), plain(hooked[0]?.['schema']))
      reply.send('x')
    },
  })
  await app.inject({
    method: 'POST',
    url: '/',
    payload: { f: 'text' },
    headers: { authkey: 'k' },
  })
  return seen
}

const FULL = { type: 'object', properties: { age: { type: 'number' } } }
const SHORT = { age: { type: 'number' } }

describe('schemas: what tools see', () => {
  const createApp = useApps()

  line4('5.x has no shortened form')('shows the full form of every response', async () => {
    const seen = await shownOf(createApp(), {
      schema: {
        response: {
          200: SHORT,
          '4XX': { description: 'bad', ...FULL },
          default: { description: 'by type', content: { 'application/json': { schema: SHORT, example: 1 } } },
        },
      },
    })
    const response = {
      200: FULL,
      '4XX': { description: 'bad', ...FULL },
      default: { description: 'by type', content: { 'application/json': { schema: FULL, example: 1 } } },
    }
    expect(seen).toEqual([{ response }, { response }])
  })

  it('shows the object of the application itself, if it is complete', async () => {
    const app = createApp()
    const hooked: Record<string, unknown>[] = []
    const schema = { summary: 'adds', body: FULL, querystring: FULL, response: { 201: FULL } }
    app.addHook('onRoute', (route) => void hooked.push(route))
    app.post('/', { schema }, (request) => request.routeOptions['schema'] === schema)
    const response = await app.inject({ method: 'POST', url: '/', payload: {} })
    expect(hooked[0]?.['schema']).toBe(schema)
    expect(response.payload).toBe('true')
  })

  it('shows the schema that a fluent builder makes', async () => {
    const builder = { isFluentJSONSchema: true, isFluentSchema: true, valueOf: () => FULL }
    const seen = await shownOf(createApp(), { schema: { body: builder, response: { 200: builder } } })
    expect(seen[0]).toEqual({ body: FULL, response: { 200: FULL } })
  })

  it('shows header names as they are written, and validates whatever their case is', async () => {
    const headers = { type: 'object', properties: { authKey: { type: 'string' } }, required: ['authKey'] }
    const seen = await shownOf(createApp(), { schema: { headers } })
    expect(seen).toEqual([{ headers }, { headers }])
  })

  ours('the peers write into it')(
    'does not change the object of the application, for methods that share it too',
    async () => {
      const app = createApp()
      const schema = { querystring: SHORT, headers: { authKey: { type: 'string' } } }
      const text = JSON.stringify(schema)
      const shown: unknown[] = []
      app.route({
        method: ['PUT', 'PATCH'],
        url: '/',
        schema: Object.freeze(schema),
        handler: (request) => {
          shown.push(request.routeOptions['schema'])
          return 'x'
        },
      })
      for (const method of ['PUT', 'PATCH']) await app.inject({ method, url: '/', payload: {} })
      const headers = { type: 'object', properties: { authKey: { type: 'string' } } }
      expect(shown).toEqual([
        { querystring: FULL, headers },
        { querystring: FULL, headers },
      ])
      expect(JSON.stringify(schema)).toBe(text)
    },
  )

  it('shows what a keyword of an Ajv plugin makes of the schema that contains it', async () => {
    interface Ajv {
      addKeyword(definition: object): void
    }
    const plugin = (ajv: Ajv): void =>
      ajv.addKeyword({
        keyword: 'isFile',
        compile: (_value: unknown, parent: Record<string, unknown>) => {
          Object.assign(parent, { type: 'string', format: 'binary' })
          delete parent['isFile']
          return () => true
        },
      })
    const app = createApp({ ajv: { plugins: [plugin] } })
    const body = { type: 'object', properties: { f: { isFile: true } } }
    const seen = await shownOf(app, { method: ['POST', 'PUT'], schema: { body } })
    const shown = { body: { type: 'object', properties: { f: { type: 'string', format: 'binary' } } } }
    expect(seen).toEqual([shown, shown])
  })

  ours('the peers change it')(
    'keeps the schema of the application from what keywords make of it',
    async () => {
      const compile = (_value: unknown, parent: Record<string, unknown>): (() => boolean) => {
        delete parent['gone']
        return () => true
      }
      const plugins = [(ajv: { addKeyword(d: object): void }) => ajv.addKeyword({ keyword: 'gone', compile })]
      const body = { type: 'object', properties: { f: { gone: true } } }
      const seen = await shownOf(createApp({ ajv: { plugins } }), { schema: { body } })
      expect(seen[0]).toEqual({ body: { type: 'object', properties: { f: {} } } })
      expect(body.properties.f).toEqual({ gone: true })
    },
  )
})
