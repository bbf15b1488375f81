// What guards state about their refusals, and what is sent.
import { bearerAuth } from '@cloister/bearer-auth'
import type { App } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

const why = {
  type: 'object',
  required: ['why'],
  properties: { why: { type: 'string' } },
  additionalProperties: false,
} as const

/** Refuses with more than its schema has. */
const refusing = (app: App, refuses: unknown): App =>
  app.addGuard('user', (_request, reply) => reply.code(403).send({ why: 'closed', secret: 'x' }), { refuses })

describeTransports(
  'a refusal of a guard',
  ({ it, expect, createApp, send }) => {
    it('is serialized by the schema that the guard states, also for a route without schemas', async () => {
      const app = createApp()
      refusing(app, { 403: why })
      app.get('/bare', () => 'unreachable')
      app.get('/described', { schema: { response: { 200: { type: 'string' } } } }, () => 'unreachable')
      for (const path of ['/bare', '/described']) {
        const response = await send(app, { method: 'GET', path })
        expect([response.status, response.json()]).toEqual([403, { why: 'closed' }])
      }
    })

    it('is serialized by what the route itself says of the status', async () => {
      const app = createApp()
      refusing(app, { 403: why })
      const own = { type: 'object', properties: { secret: { type: 'string' } } }
      app.get('/status', { schema: { response: { 403: own } } }, () => 'unreachable')
      app.get('/class', { schema: { response: { '4xx': own } } }, () => 'unreachable')
      for (const path of ['/status', '/class']) {
        expect((await send(app, { method: 'GET', path })).json()).toEqual({ secret: 'x' })
      }
    })

    it('keeps its body if the guard states none', async () => {
      const app = createApp()
      refusing(app, [403])
      app.get('/', () => 'unreachable')
      expect((await send(app, { method: 'GET', path: '/' })).json()).toEqual({ why: 'closed', secret: 'x' })
    })

    it('declares no status for the handler: a route without schemas sends any, with strict too', async () => {
      const app = createApp({ strict: true })
      app.addGuard('user', () => 'ada', { refuses: { 403: why } })
      app.get('/', (_request, reply) => reply.code(202).send({ any: 'body' }))
      const response = await send(app, { method: 'GET', path: '/' })
      expect([response.status, response.json()]).toEqual([202, { any: 'body' }])
    })

    it('that a hook declares does not change what a handler sends', async () => {
      const app = createApp()
      app.register(bearerAuth, { keys: ['key'] })
      app.get('/', (_request, reply) => reply.code(401).send({ own: 'body' }))
      const headers = { authorization: 'Bearer key' }
      expect((await send(app, { method: 'GET', path: '/', headers })).json()).toEqual({ own: 'body' })
      expect((await send(app, { method: 'GET', path: '/' })).json()).toEqual({
        error: 'missing authorization header',
      })
    })
  },
  ['in-process', 'socket', 'http2', 'memory', 'fetch'],
)
