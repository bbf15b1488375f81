import { bearerAuth } from '@cloister/bearer-auth'
import { cloister } from 'cloister'
import { z } from 'zod'

const user = {
  $id: 'user',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', nullable: true },
    friend: { $ref: 'user#' },
    kind: { type: ['string', 'null'] },
    constant: { const: 'x' },
    score: { type: 'number', exclusiveMinimum: 0, example: 3 },
  },
  required: ['id'],
} as const

interface HardReply {
  code(status: number): HardReply
  header(name: string, value: number): HardReply
  send(payload?: unknown): unknown
}

const noContent = (_: unknown, reply: HardReply): unknown => reply.code(204).send()

/** An app with the cases that are hard to document. */
export async function hardApp() {
  const app = cloister()
    .addSchema(user)
    .addSchema({
      $id: 'common',
      definitions: { page: { type: 'integer', minimum: 1 }, Tag: { $id: '#tag', type: 'string' } },
    })
    .addSchema({
      $id: 'https://example.com/schemas/address.json',
      type: 'object',
      properties: { zip: { type: 'string' } },
    })
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, text, done) => done(null, text))
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    payload.resume()
    done(null, {})
  })
  const bare: {
    get(...args: unknown[]): unknown
    route(options: object): unknown
    post(...args: unknown[]): unknown
  } = app
  bare.get(
    '/users/:id',
    {
      schema: {
        tags: ['users'],
        summary: 'Reads a user',
        params: { id: { type: 'integer', description: 'number of the user' } },
        response: {
          200: { $ref: 'user#' },
          '4xx': { type: 'object', properties: { message: { type: 'string' } } },
          default: { type: 'object', description: 'any', properties: { oops: { type: 'boolean' } } },
        },
      },
    },
    () => ({ id: 1 }),
  )
  bare.get(
    '/users',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            page: { $ref: 'common#/definitions/page' },
            tag: { $ref: 'common#tag' },
            q: { type: 'string', default: 'x' },
            ids: { type: 'array', items: { type: 'integer' } },
          },
          required: ['q'],
        },
        headers: { 'X-Trace': { type: 'string' } },
        cookies: { session: { type: 'string' } },
        response: {
          '2xx': {
            description: 'list',
            type: 'array',
            items: { $ref: 'user#' },
            headers: { 'x-total': { type: 'integer', description: 'all' } },
          },
        },
      },
    },
    (_: unknown, reply: HardReply) => reply.header('x-total', 0).send([]),
  )
  const size = z.object({ name: z.string(), size: z.number().default(3) })
  bare.post('/users', { schema: { body: size, response: { 201: size } } }, (_: unknown, reply: HardReply) =>
    reply.code(201).send({ name: 'x' }),
  )
  const content = {
    'application/json': { schema: { $ref: 'user#' } },
    'text/csv': { schema: { type: 'string' } },
  }
  bare.post(
    '/pets',
    { schema: { body: { content }, response: { 200: { description: 'ok', content } } } },
    () => ({ id: 1 }),
  )
  bare.post(
    '/files',
    {
      schema: {
        body: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { file: { isFile: true }, note: { type: 'string' } } },
            },
          },
        },
        response: { 204: { type: 'null', description: 'stored' } },
      },
      validatorCompiler: () => () => true,
    },
    noContent,
  )
  bare.get(
    String.raw`/year/:year(^\d{4}$)/:rest?`,
    { schema: { response: { 204: { type: 'null', description: 'none' } } } },
    noContent,
  )
  bare.get(String.raw`/at/:hour(^\d{2}$)h:minute(^\d{2}$)m`, () => 'x')
  bare.get('/files/*', () => 'x')
  bare.get('/downloads/:file.:extension', () => 'x')
  bare.get('/a::b', () => 'x')
  bare.get('/hidden', { schema: { hide: true } }, () => 'x')
  bare.get('/unlisted', { config: { openapi: false } }, () => 'x')
  bare.get('/noschema', () => 'x')
  bare.get(
    '/address',
    {
      schema: {
        response: {
          200: { type: 'object', properties: { at: { $ref: 'https://example.com/schemas/address.json#' } } },
        },
      },
    },
    () => ({}),
  )
  for (const [name, schema] of [
    ['one', { type: 'string', enum: ['a'] }],
    ['two', { type: 'integer' }],
  ] as const) {
    app.register(async (child: typeof bare & { addSchema(schema: object): unknown }) => {
      child.addSchema({ $id: 'mine', ...schema })
      child.get(
        `/child/${name}`,
        { schema: { response: { 200: { type: 'object', properties: { mine: { $ref: 'mine#' } } } } } },
        () => ({}),
      )
    })
  }
  bare.post(
    '/tuple',
    {
      schema: {
        body: {
          type: 'object',
          properties: {
            t: {
              type: 'array',
              items: [{ type: 'string' }, { type: 'integer' }],
              minItems: 2,
              additionalItems: false,
            },
            d: {
              type: 'object',
              definitions: { x: { type: 'string' } },
              properties: { y: { $ref: '#/properties/d/definitions/x' } },
            },
            tree: { $ref: '#' },
          },
          dependencies: { t: ['d'], d: { required: ['t'] } },
        },
      },
    },
    () => '1',
  )
  bare.route({
    method: ['PUT', 'PATCH'],
    url: '/multi/:id',
    schema: { operationId: 'multi', body: { type: 'object' } },
    handler: () => '1',
  })
  bare.route({ method: 'DELETE', url: '/multi/:number', handler: () => '1' })
  app.register(async (child: typeof bare & { register(plugin: unknown, options: object): unknown }) => {
    child.register(bearerAuth, { keys: ['secret'] })
    child.get('/private', { schema: { response: { 200: { type: 'string' } } } }, () => 'x')
  })
  app.register(
    async (child: typeof bare) => {
      child.get('/', () => 'x')
    },
    { prefix: '/prefixed' },
  )
  await app.ready()
  return app
}
