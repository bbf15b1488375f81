/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type { FastifyReply, FastifyRequest } from 'cloister'

import { app, is, it } from './support.ts'

const one = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const
const note = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as const
const response = { 200: one, 404: note } as const
const mapped = {
  200: { content: { 'application/json': { schema: one }, 'text/csv': { schema: { type: 'string' } } } },
  404: note,
} as const

it('refuses a reply with a status that is returned before anything is sent', () => {
  // @ts-expect-error -- send() is missing
  app.get('/a', { schema: { response } }, (request, reply) => reply.code(404))
  // @ts-expect-error -- also in an asynchronous handler
  app.get('/b', { schema: { response } }, async (request, reply) => reply.code(404))
  // @ts-expect-error -- also on one of the ways through it
  app.get('/c', { schema: { response } }, async (request, reply) => {
    if (request.id === 'x') return reply.status(404).header('x', 1)
    return { id: 1 }
  })
})

it('takes a reply after `send`, `redirect`, `hijack` and `callNotFound`', () => {
  app.get('/a', { schema: { response } }, (request, reply) => reply.code(404).send({ text: 'x' }))
  app.get('/b', { schema: { response } }, async (request, reply) => reply.redirect('/there'))
  app.get('/c', { schema: { response } }, async (request, reply) => reply.hijack())
  app.get('/d', { schema: { response } }, (request, reply) => reply.code(404).callNotFound())
  app.get('/e', { schema: { response } }, async (request, reply) => {
    if (request.id === 'x') return reply.code(404).header('x', 1).send({ text: 'x' })
    return { id: 1 }
  })
})

it('takes the reply itself, which may be sent elsewhere', () => {
  app.get('/a', { schema: { response } }, async (request, reply) => {
    setImmediate(() => reply.send({ id: 1 }))
    return reply
  })
  app.get('/b', { schema: { response } }, (request, reply) => {
    reply.code(200).send({ id: 1 })
  })
})

it('takes a reply with a status wherever any reply is taken', () => {
  const finish = (reply: FastifyReply): FastifyReply => reply.send('x')
  app.get('/a', (request, reply) => finish(reply.code(404)))
  app.get('/b', { schema: { response } }, async (request, reply): Promise<FastifyReply> => finish(reply))
})

it('narrows the payload by the media type that was set', () => {
  app.get('/', { schema: { response: mapped } }, (request, reply) => {
    reply.type('text/csv').send('a,b')
    reply.type('text/csv; charset=utf-8').send('a,b')
    reply.code(200).type('application/json').send({ id: 1 })
    // @ts-expect-error -- a text is no JSON object
    reply.type('application/json').send('a,b')
    // @ts-expect-error -- an object is no text
    reply.code(200).type('text/csv').send({ id: 1 })
    return { id: 1 }
  })
})

it('keeps the media type through a status', () => {
  app.get('/', { schema: { response: mapped } }, (request, reply) => {
    reply.type('text/csv').code(200).send('a,b')
    // @ts-expect-error -- the media type was set before
    reply.type('text/csv').code(200).send({ id: 1 })
    return reply.code(404).type('application/json').send({ text: 'x' })
  })
})

it('refuses a media type that is not declared', () => {
  app.get('/', { schema: { response: mapped } }, (request, reply) => {
    // @ts-expect-error -- 'text/html' is not among those of the map
    reply.type('text/html')
    reply.code(404).type('text/html').send({ text: 'x' })
    return { id: 1 }
  })
})

it('takes any media type where the map has one for all', () => {
  const open = {
    200: { content: { 'text/csv': { schema: { type: 'string' } }, '*/*': { schema: one } } },
  } as const
  app.get('/', { schema: { response: open } }, (request, reply) => {
    reply.type('text/csv').send('a,b')
    reply.type('application/vnd.own+json').send({ id: 1 })
    // @ts-expect-error -- that of all other types has an id
    reply.type('application/vnd.own+json').send('x')
    return 'a,b'
  })
})

it('sends any payload of the map while the media type is not said', () => {
  app.get('/', { schema: { response: mapped } }, (request, reply) => {
    reply.send('a,b')
    return reply.code(200).send({ id: 1 })
  })
})

it('returns the reply of a decoration that sends', () => {
  app
    .decorateReply('html', function (text: string) {
      return this.type('text/html').send(text)
    })
    .get('/', { schema: { response: { 200: { type: 'string' } } } }, async (request, reply) => {
      is<(text: string) => unknown>()((text: string): unknown => reply.html(text))
      return reply.html('<p>')
    })
})

it('refuses a handler without a reply that ends without a response', () => {
  // @ts-expect-error -- nothing is sent
  app.get('/a', { schema: { response } }, async () => {})
  // @ts-expect-error -- nothing on one of the ways
  app.get('/b', { schema: { response } }, async (request) => {
    if (request.id === 'x') return { id: 1 }
  })
  // @ts-expect-error -- the client would wait
  app.get('/c', { schema: { response } }, () => {})
  // @ts-expect-error -- also among the options
  app.get('/d', { schema: { response }, handler: async () => {} })
  // @ts-expect-error -- also of a route in full
  app.route({ method: 'GET', url: '/e', schema: { response }, handler: async () => {} })
})

it('takes a handler that responds on every path, or by its reply', () => {
  app.get('/a', { schema: { response } }, async () => ({ id: 1 }))
  app.get('/b', { schema: { response } }, async (request) => {
    if (request.id === 'x') throw new Error('x')
    return { id: 1 }
  })
  app.get('/c', { schema: { response } }, async (request, reply) => {
    reply.send({ id: 1 })
  })
  app.get('/d', { schema: { response } }, (request, reply) => {
    if (request.id === 'x') reply.code(404).send({ text: 'x' })
    else return { id: 1 }
  })
  app.get('/e', { schema: { response } }, async () => {
    throw new Error('not yet')
  })
  app.get('/j', { schema: { response } }, (_request: FastifyRequest, reply?: FastifyReply): void => {
    reply?.send({ id: 1 })
  })
  app.get('/f', async () => {})
  app.get('/h', { schema: { response }, handler: async (request) => ({ id: request.id.length }) })
  app.route({
    method: 'GET',
    url: '/i',
    schema: { response },
    handler: async (request) => ({ id: request.id.length }),
  })
  app.delete('/g', { schema: { response: { 204: { type: 'null' } } } }, async () => {})
})
