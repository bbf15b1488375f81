/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type {
  Cloister,
  Context,
  Ctx,
  FastifyReply,
  FastifyRequest,
  Handler,
  ReplyOf,
  RequestOf,
} from 'cloister'
import type { Within } from 'cloister/types'

import { app, is, it, shop } from './support.ts'
import type { Database, User } from './support.ts'

const body = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const

it('survives every hook on the route', () => {
  app.post(
    '/:id',
    {
      schema: { body },
      onRequest: async () => {},
      preParsing: async (request, reply, payload) => payload,
      preValidation: (request, reply, done) => done(),
      preHandler: [async (request) => is<string>()(request.body.name), (request, reply, done) => done()],
      preSerialization: async (request, reply, payload) => payload,
      onSend: async (request, reply, payload) => payload,
      onResponse: async () => {},
      onError: async (request, reply, error) => is<string>()(error.message),
      onTimeout: async () => {},
      onRequestAbort: async () => {},
      errorHandler: (error, request, reply) => reply.code(error.statusCode ?? 500).send(error.message),
    },
    (request) => is<string>()(request.body.name),
  )
})

it('survives hooks of other functions, annotated or not', () => {
  const audit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('x-id', request.id)
  }
  app.post('/', { schema: { body }, onRequest: audit, preHandler: [audit, async () => {}] }, (request) =>
    is<string>()(request.body.name),
  )
})

it('says in hooks before validation that nobody has validated the body', () => {
  app.post(
    '/:id',
    {
      schema: { body },
      preValidation: async (request) => {
        is<unknown>()(request.body)
        is<string>()(request.params.id)
      },
    },
    () => 'x',
  )
})

const route = { method: 'POST', url: '/users/:id', schema: { body } } as const

it('types a handler that was written apart', () => {
  const handler: Handler<typeof route, typeof shop> = async function (request, reply) {
    is<string>()(request.body.name)
    is<string>()(request.params.id)
    is<User | null>()(request.user)
    is<Database>()(this.db)
    return reply.code(200).send('x')
  }
  shop.route({ ...route, handler })
  // @ts-expect-error -- this app knows no user
  app.route({ ...route, handler })
})

it('types functions that handlers call', () => {
  const read = (request: RequestOf<typeof route, typeof shop>): string => request.body.name
  const write = (reply: ReplyOf<typeof route, typeof shop>): string => reply.cached()
  shop.post(route.url, { schema: route.schema }, (request, reply) => read(request) + write(reply))
})

it('refuses a handler that wants another body', () => {
  const handler = async (request: FastifyRequest<{ Body: { name: number } }>): Promise<void> => {
    request.body.name.toFixed()
  }
  // @ts-expect-error -- the schema says that 'name' is a string
  app.post('/', { schema: { body } }, handler)
})

it('takes handlers annotated in the way of 4.x', () => {
  const handler = async (
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
  ): Promise<void> => {
    reply.send(request.params.id)
  }
  app.get('/:id', handler)
  shop.get('/:id', handler).db.find('1')
})

it('takes type arguments in the way of 4.x', () => {
  app.post<{
    Body: { a: number }
    Querystring: { q: string }
    Params: { id: string }
    Headers: { 'x-key': string }
  }>('/:id', async (request) => {
    is<number>()(request.body.a)
    is<string>()(request.query.q)
    is<string>()(request.params.id)
    is<string>()(request.headers['x-key'])
  })
  app.post<{ Body: { a: number } }>('/', { schema: { body } }, (request) => is<number>()(request.body.a))
})

it('takes replies by type argument', () => {
  app.get<{ Reply: { 200: string; '4xx': { message: string } } }>('/', (request, reply) => {
    reply.code(404).send({ message: 'none' })
    // @ts-expect-error -- 404 has a message
    reply.code(404).send('none')
    return 'x'
  })
  app.get<{ Reply: { id: number } }>('/', () => ({ id: 1 }))
})

it('types `route` as it types the shorthands', () => {
  app.route({
    method: ['POST', 'PUT'],
    url: '/users/:id',
    schema: { body, response: { 200: body } },
    preHandler: async (request) => is<string>()(request.body.name),
    handler: (request) => ({ name: request.body.name + request.params.id }),
  })
  app.route({ method: 'GET', path: '/by-path/:id', handler: (request) => is<string>()(request.params.id) })
})

it('takes the handler among the options', () => {
  app.post('/:id', { schema: { body }, handler: (request) => is<string>()(request.body.name) })
})

it('types `config` where it is read', () => {
  app.get('/', { config: { roles: ['admin'] } }, (request) =>
    is<string[]>()(request.routeOptions.config.roles),
  )
})

it('survives a generic function over contexts', () => {
  const withHealth = <C extends Context>(instance: Cloister<C>): Cloister<C> => {
    instance.get('/health', () => 'ok')
    return instance
  }
  is<Database>()(withHealth(shop).db)
})

it('survives a generic function over what an app has', () => {
  const stock = <T extends Within<Ctx<{ readonly db: Database }, {}, {}, {}, string>> & { db: Database }>(
    instance: T,
  ) => instance.db.find('1').stock
  is<number>()(stock(shop))
})

it('types all parts of a loop over routes', () => {
  for (const url of ['/a/:id', '/b/:id'] as const) {
    app.get(url, (request) => is<string>()(request.params.id))
  }
})

it('types the bytes of a body on routes that keep them', () => {
  const schema = {
    body: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  } as const
  app.post('/', { rawBody: true, schema }, (request) => {
    is<Buffer>()(request.rawBody)
    return is<string>()(request.body.id)
  })
  app.route({ method: 'POST', url: '/', rawBody: true, handler: (request) => is<Buffer>()(request.rawBody) })
  app.post('/', { rawBody: true, preHandler: async (request) => is<Buffer>()(request.rawBody) }, () => 'x')
  // @ts-expect-error -- the route does not keep them
  app.post('/', { schema }, (request) => request.rawBody)
  // @ts-expect-error -- nor does this one
  app.post('/', { rawBody: false }, (request) => request.rawBody)
})
