/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-vars -- a type test also says what must not compile */

import { Readable } from 'node:stream'

import type { RequestOf } from 'cloister'

import { app, is, it } from './support.ts'

const created = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const
const problem = {
  type: 'object',
  properties: { message: { type: 'string' } },
  required: ['message'],
} as const

it('checks what is sent by its status', () => {
  app.post('/', { schema: { response: { 201: created, 404: problem } } }, (request, reply) => {
    reply.code(201).send({ id: 1 })
    reply.code(404).send({ message: 'none' })
    // @ts-expect-error -- 201 has an id
    reply.code(201).send({ message: 'none' })
    // @ts-expect-error -- 404 has a message
    reply.status(404).send({ id: 1 })
  })
})

it('checks what is returned against the success', () => {
  app.get('/', { schema: { response: { 200: created, 404: problem } } }, () => ({ id: 1 }))
  app.get('/', { schema: { response: { 200: created, 404: problem } } }, async () => ({ id: 1 }))
  // @ts-expect-error -- not the success
  app.get('/', { schema: { response: { 200: created, 404: problem } } }, () => ({ message: 'none' }))
  // @ts-expect-error -- not the success
  app.get('/', { schema: { response: { 200: created, 404: problem } } }, async () => ({ message: 'none' }))
})

it('takes a reply that was sent for a response', () => {
  app.get('/', { schema: { response: { 200: created, 404: problem } } }, async (request, reply) => {
    if (request.id === 'x') return reply.code(404).send({ message: 'none' })
    return { id: 1 }
  })
  app.get('/', { schema: { response: { 200: created, 404: problem } } }, (request, reply) =>
    reply.code(404).send({ message: 'none' }),
  )
})

it('refuses a status that is not declared', () => {
  app.get('/', { schema: { response: { 200: created } } }, (request, reply) => {
    // @ts-expect-error -- 418 is not declared
    reply.code(418).send('x')
  })
})

it('takes any status where there is a default', () => {
  app.get('/', { schema: { response: { 200: created, default: problem } } }, (request, reply) => {
    reply.code(418).send({ message: 'teapot' })
    // @ts-expect-error -- the default has a message
    reply.code(418).send({ id: 1 })
    reply.code(200).send({ id: 1 })
  })
})

it('takes any status and payload where there is no response schema', () => {
  app.get('/', (request, reply) => reply.code(418).send({ any: 'thing' }))
})

it('returns what nobody knows the type of', () => {
  const unknown = (): unknown => 1
  app.get('/a', () => unknown())
  app.get('/b', async () => unknown())
  app.get('/c', function (): void {})
  app.get<{ Reply: unknown }>('/d', async () => unknown())
  app.get<{ Reply: { a: number } | undefined }>('/e', async () => undefined)
})

it('reads class keys in either letter case', () => {
  app.get('/', { schema: { response: { '2xx': created, '4XX': problem } } }, (request, reply) => {
    reply.code(202).send({ id: 1 })
    reply.code(409).send({ message: 'taken' })
    // @ts-expect-error -- 4xx has a message
    reply.code(409).send({ id: 1 })
    // @ts-expect-error -- 5xx is not declared
    reply.code(500).send({ message: 'x' })
    return { id: 1 }
  })
})

it('prefers the exact status to its class', () => {
  app.get('/', { schema: { response: { 201: created, '2xx': problem } } }, (request, reply) => {
    reply.code(201).send({ id: 1 })
    reply.code(200).send({ message: 'x' })
    // @ts-expect-error -- 201 is exact
    reply.code(201).send({ message: 'x' })
  })
})

it('reads statuses that are written as strings', () => {
  app.get('/', { schema: { response: { '201': created } } }, (request, reply) =>
    reply.code(201).send({ id: 1 }),
  )
})

it('reads the media types of `content`', () => {
  const response = {
    200: {
      description: 'a book',
      content: { 'application/json': { schema: created }, 'text/csv': { schema: { type: 'string' } } },
    },
  } as const
  app.get('/json', { schema: { response } }, () => ({ id: 1 }))
  app.get('/csv', { schema: { response } }, () => 'id\n1')
  // @ts-expect-error -- neither of the two
  app.get('/', { schema: { response } }, () => 1)
})

it('reads the shorthand form', () => {
  app.get('/', { schema: { response: { 200: { id: { type: 'integer' } } } } }, () => ({ id: 1 }))
  // @ts-expect-error -- 'id' is a number
  app.get('/', { schema: { response: { 200: { id: { type: 'integer' } } } } }, () => ({ id: 'x' }))
})

it('keeps the literals of what a handler returns', () => {
  const state = {
    type: 'object',
    properties: { state: { enum: ['open', 'closed'] } },
    required: ['state'],
  } as const
  app.get('/a', { schema: { response: { 200: state } } }, () => ({ state: 'open' }))
  app.get('/b', { schema: { response: { 200: state } } }, async () => ({ state: 'closed' }))
  // @ts-expect-error -- no such state
  app.get('/c', { schema: { response: { 200: state } } }, () => ({ state: 'ajar' }))
})

it('may leave out what the serializer fills in, and write dates as dates', () => {
  const response = {
    200: {
      type: 'object',
      properties: { at: { type: 'string', format: 'date-time' }, count: { type: 'integer', default: 0 } },
      required: ['at', 'count'],
    },
  } as const
  app.get('/a', { schema: { response } }, () => ({ at: new Date(), count: 1 }))
  app.get(
    '/b',
    {
      schema: {
        response: { 200: { type: 'object', properties: { count: { type: 'integer', default: 0 } } } },
      },
    },
    () => ({}),
  )
})

it('sees a property that the serializer would drop', () => {
  app.get('/', { schema: { response: { 200: created } } }, (request, reply) => {
    // @ts-expect-error -- 'secret' is not declared
    reply.send({ id: 1, secret: 'x' })
  })
})

it('sends nothing where nothing is declared', () => {
  app.delete('/', { schema: { response: { 204: { type: 'null' } } } }, (request, reply) =>
    reply.code(204).send(),
  )
})

it('keeps the payload of a status through headers and types', () => {
  app.get('/', { schema: { response: { 201: created } } }, (request, reply) => {
    reply.code(201).header('x', 1).type('application/json').send({ id: 1 })
    // @ts-expect-error -- 201 has an id
    reply.code(201).header('x', 1).send('x')
  })
})

it('sends streams and buffers where there is no schema', () => {
  app.get('/', (request, reply) => reply.type('text/plain').send(Readable.from(['x'])))
  app.get('/b', () => Buffer.from('x'))
})

it('redirects with both orders of the arguments', () => {
  app.get('/', (request, reply) => reply.redirect('/there'))
  app.get('/', (request, reply) => reply.redirect('/there', 301))
  app.get('/', (request, reply) => reply.redirect(301, '/there'))
})

const route = { url: '/:id', schema: { response: { 200: created } } } as const
it('names the request of a route written apart', () => {
  const readId = (request: RequestOf<typeof route>): string => request.params.id
  app.get(route.url, route, (request) => ({ id: Number(readId(request)) }))
})
