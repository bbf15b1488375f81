// What users of type providers for Zod have asked for in issues that are open there (fastify-type-provider-zod 95, 151,
// 158, 173, 188, 192, 208, 209).
import { openApiDocument } from '@cloister/openapi'
import { cloister } from 'cloister'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/** The operation of a route in the document of its app. */
async function operationOf(schema: object): Promise<Record<string, unknown>> {
  const app = cloister()
  app.post('/', { schema }, () => null)
  await app.ready()
  return Object(openApiDocument(app, { frameworkResponses: false }).paths['/'])['post']
}

describe('a user of Zod', () => {
  it('has numbers in a query string (95), and one value for a list (151)', async () => {
    const app = cloister()
    const querystring = z.object({ name: z.string(), age: z.number(), bananas: z.array(z.string()) })
    app.get('/', { schema: { querystring } }, (request) => request.query)
    const response = await app.inject('/?name=Ada&age=36&bananas=apple')
    expect(response.json()).toEqual({ name: 'Ada', age: 36, bananas: ['apple'] })
  })

  it('returns what a transform takes, which makes the response of it once (188)', async () => {
    const Event = z.object({ id: z.number(), title: z.string(), date: z.date() })
    const Sent = Event.transform(({ date, ...rest }) => ({ ...rest, date: date.toISOString() }))
    const app = cloister()
    const params = z.object({ id: z.coerce.number() })
    const response = { 200: Sent, 404: z.object({ error: z.string() }) }
    app.get('/events/:id', { schema: { params, response } }, (request, reply) =>
      request.params.id === 1
        ? { id: 1, title: 'Conference', date: new Date('2024-03-15') }
        : reply.code(404).send({ error: 'Event not found' }),
    )
    expect((await app.inject('/events/1')).json()).toEqual({
      id: 1,
      title: 'Conference',
      date: '2024-03-15T00:00:00.000Z',
    })
    expect((await app.inject('/events/2')).json()).toEqual({ error: 'Event not found' })
  })

  it('has the type of a transform in the document, where something says it (208)', async () => {
    const change = z.string().transform((text) => text)
    const both = z.object({
      plain: z.string(),
      piped: change.pipe(z.string()),
      said: change.meta({ type: 'string' }),
      open: change,
    })
    const { requestBody, responses } = await operationOf({ body: both, response: { 200: both } })
    const of = (holder: unknown): unknown => Object(holder).content['application/json'].schema.properties
    expect(of(requestBody)).toMatchObject({
      plain: { type: 'string' },
      piped: { type: 'string' },
      said: { type: 'string' },
      open: { type: 'string' },
    })
    expect(of(Object(responses)[200])).toEqual({
      plain: { type: 'string' },
      piped: { type: 'string' },
      said: { type: 'string' },
      open: {
        'x-unrepresentable': 'a transform',
        description: 'No JSON Schema describes this value: a transform.',
      },
    })
  })

  it('has a component for the schema of a whole part (173)', async () => {
    const User = z.object({ id: z.int() }).meta({ id: 'User' })
    const { responses } = await operationOf({ response: { 200: User } })
    expect(Object(responses)[200].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/User',
    })
  })

  it('may have a default of null (158), and null in a union (192)', async () => {
    const body = z.object({
      name: z.string().nullable().default(null),
      value: z.union([z.null(), z.array(z.string()), z.literal('any')]),
    })
    const { requestBody } = await operationOf({ body, response: { 200: body } })
    const { properties } = Object(requestBody).content['application/json'].schema
    expect(properties.name).toEqual({ type: ['string', 'null'], default: null })
    expect(properties.value.anyOf).toHaveLength(3)
    const app = cloister()
    app.post('/', { schema: { body, response: { 200: body } } }, (request) => request.body)
    const response = await app.inject({ method: 'POST', url: '/', payload: { value: 'any' } })
    expect(response.json()).toEqual({ name: null, value: 'any' })
  })

  it('can set headers of a request that a schema has validated (209)', async () => {
    const app = cloister()
    app.get('/', { schema: { headers: z.object({ 'X-Own': z.string() }) } }, (request) => {
      Object.assign(request.headers, { 'x-own': 'set', 'x-other': 'too' })
      return [request.headers['x-own'], Object(request.headers)['x-other']]
    })
    expect((await app.inject({ url: '/', headers: { 'x-own': 'sent' } })).json()).toEqual(['set', 'too'])
  })
})
