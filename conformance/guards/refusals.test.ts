// What guards state about their refusals, and what is sent.
import { bearerAuth } from '@cloister/bearer-auth'
import { describe } from 'vitest'
import type { App, Reply } from '../harness/app-shape.ts'
import { describeTransports } from '../harness/transports.ts'

const why = {
  type: 'object',
  required: ['why'],
  properties: { why: { type: 'string' } },
  additionalProperties: false,
} as const

const bearer = { bearer: { type: 'http', scheme: 'bearer' } }

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

    describe.each([
      ['at once', (reply: Reply, code: number) => reply.code(code).send({ why: 'closed' })],
      ['later', async (reply: Reply, code: number) => reply.code(code).send({ why: 'closed' })],
    ])('with a reply %s', (_name, refuse) => {
      /** A strict app, whose guard replies with a status that the route does not describe. */
      const refusingWith = (code: number, options: Record<string, unknown> = {}, more: object = {}): App => {
        const app = createApp({ strict: true, logger: { level: 'silent' }, ...more })
        app.addGuard('user', (_request, reply) => refuse(reply, code), options)
        const response = { 200: { type: 'string' }, '5xx': why }
        app.get('/', { schema: { response } }, () => 'unreachable')
        return app
      }

      it('is an error where neither the guard nor the route declares its status', async () => {
        const app = refusingWith(402, { refuses: [401] })
        const errors: unknown[] = []
        app.addHook('onError', async (_request, _reply, error) => {
          errors.push([Reflect.get(error, 'code'), error.message])
        })
        expect((await send(app, { method: 'GET', path: '/' })).status).toBe(500)
        expect(errors).toEqual([
          [
            'CLO_ERR_GUARD_STATUS_UNDECLARED',
            expect.stringMatching(
              /'user', added at .*refusals\.test\.ts:\d+, has replied to GET \/ with the status 402/,
            ),
          ],
        ])
      })

      it.each([
        ['by the option refuses', 402, { refuses: [402] }],
        ['with a schema', 402, { refuses: { 402: why } }],
        ['by its security', 401, { security: { bearer: [] }, securitySchemes: bearer }],
        ['by the route', 503, {}],
      ])('is sent where its status is declared %s', async (_how, status, options) => {
        const response = await send(refusingWith(status, options), { method: 'GET', path: '/' })
        expect([response.status, response.json()]).toEqual([status, { why: 'closed' }])
      })

      it('is sent whatever its status where the app wants it so', async () => {
        const app = refusingWith(402, {}, { undeclaredStatuses: 'send' })
        expect((await send(app, { method: 'GET', path: '/' })).status).toBe(402)
      })
    })

    it('that it throws has any status', async () => {
      const app = createApp({ strict: true, logger: { level: 'silent' } })
      app.addGuard('user', () => {
        throw Object.assign(new Error('pay'), { statusCode: 402 })
      })
      app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => 'unreachable')
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(402)
    })

    it('of a hook behind a guard has any status', async () => {
      const app = createApp({ strict: true, logger: { level: 'silent' } })
      app.addGuard('user', () => 'ada')
      app.addHook('onRequest', async (_request, reply) => reply.code(402).send({ why: 'closed' }))
      app.get('/', { schema: { response: { 200: { type: 'string' } } } }, () => 'unreachable')
      expect((await send(app, { method: 'GET', path: '/' })).status).toBe(402)
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
