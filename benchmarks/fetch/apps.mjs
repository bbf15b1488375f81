// The same two routes in each framework, as functions from Request to Response. They run on Node, Bun and Deno.
import { zValidator } from '@hono/zod-validator'
import { cloister } from 'cloister'
import { Elysia, t } from 'elysia'
import { Hono } from 'hono'
import { z } from 'zod'

/** @typedef {(request: Request) => Response | Promise<Response>} Handler */

/** A route with params, query and response schema, and one with a body schema. @returns {Promise<Handler>} */
async function createCloister() {
  const user = /** @type {const} */ ({
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' }, full: { type: 'boolean' } },
  })
  const saved = /** @type {const} */ ({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
  })
  const app = cloister()
    .get(
      '/users/:id',
      {
        schema: {
          params: { type: 'object', properties: { id: { type: 'integer' } } },
          querystring: { type: 'object', properties: { full: { type: 'boolean' } } },
          response: { 200: user },
        },
      },
      (request) => ({ id: request.params.id, name: 'ada', full: request.query.full }),
    )
    .post('/users', { schema: { body: saved, response: { 200: saved } } }, (request) => request.body)
  await app.ready()
  return app.fetch
}

/** Nothing is validated, and nothing is left out of responses. @returns {Handler} */
function createHono() {
  const app = new Hono()
  app.get('/users/:id', (c) =>
    c.json({ id: Number(c.req.param('id')), name: 'ada', full: c.req.query('full') === 'true' }),
  )
  app.post('/users', async (c) => c.json(await c.req.json()))
  return app.fetch
}

/** @returns {Handler} */
function createHonoWithZod() {
  const params = z.object({ id: z.coerce.number().int() })
  const query = z.object({ full: z.coerce.boolean() })
  const body = z.object({ name: z.string(), age: z.number().int() })
  const app = new Hono()
  app.get('/users/:id', zValidator('param', params), zValidator('query', query), (c) =>
    c.json({ id: c.req.valid('param').id, name: 'ada', full: c.req.valid('query').full }),
  )
  app.post('/users', zValidator('json', body), (c) => c.json(c.req.valid('json')))
  return app.fetch
}

/** @returns {Handler} */
function createElysia() {
  const saved = t.Object({ name: t.String(), age: t.Integer() })
  const app = new Elysia()
    .get('/users/:id', ({ params, query }) => ({ id: params.id, name: 'ada', full: query.full }), {
      params: t.Object({ id: t.Integer() }),
      query: t.Object({ full: t.BooleanString() }),
      response: t.Object({ id: t.Integer(), name: t.String(), full: t.Boolean() }),
    })
    .post('/users', ({ body }) => body, { body: saved, response: saved })
  return app.handle
}

/** The frameworks by name. @type {Readonly<Record<string, () => Handler | Promise<Handler>>>} */
export const APPS = {
  Cloister: createCloister,
  Hono: createHono,
  'Hono + zod': createHonoWithZod,
  Elysia: createElysia,
}

const BODY = JSON.stringify({ name: 'ada', age: 36 })

/** The requests by name, each new, as a platform makes them. */
export const REQUESTS = {
  GET: () => new Request('http://localhost/users/7?full=true'),
  POST: () =>
    new Request('http://localhost/users', {
      method: 'POST',
      body: BODY,
      headers: { 'content-type': 'application/json', 'content-length': String(BODY.length) },
    }),
}

/** The responses to the requests. */
export const RESPONSES = {
  GET: { id: 7, name: 'ada', full: true },
  POST: { name: 'ada', age: 36 },
}
