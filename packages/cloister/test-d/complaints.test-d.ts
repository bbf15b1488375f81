/* oxlint-disable typescript/ban-ts-comment, eslint/no-unused-expressions, eslint/no-unused-vars -- a type test also says what must not compile */

// What users of the peer have asked for over the years, one case each.

import type { Cloister, Ctx, FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'cloister'
import type { Logger } from 'pino'
import { Type } from '@sinclair/typebox'
import { z } from 'zod'

import { app, is, it, shop } from './support.ts'
import type { User } from './support.ts'

it('decorates without merging a declaration for all the world', () => {
  is<number>()(app.decorate('size', 42).size)
  // @ts-expect-error -- nothing leaked into the global interface
  app.size
})

it('keeps the type of the body when a preHandler is added', () => {
  const body = Type.Object({ a: Type.String() })
  app.post('/', { schema: { body }, preHandler: (request, reply, done) => done() }, (request) =>
    is<{ a: string }>()(request.body),
  )
})

it('keeps the type of the body when an asynchronous onRequest is added', () => {
  app.post('/', { schema: { body: z.object({ a: z.string() }) }, onRequest: async () => {} }, (request) =>
    is<{ a: string }>()(request.body),
  )
})

it('keeps the types of schemas inside `register`, with no provider to apply again', () => {
  app.register(async (child) => {
    child.post('/', { schema: { body: Type.Object({ a: Type.String() }) } }, (request) =>
      is<{ a: string }>()(request.body),
    )
  })
})

it('keeps the types of schemas in a plugin of another file', () => {
  const routes: FastifyPluginAsync = async (instance) => {
    instance.post('/', { schema: { body: Type.Object({ a: Type.String() }) } }, (request) =>
      is<{ a: string }>()(request.body),
    )
  }
  app.register(routes)
})

it('keeps inference with the handler among the options beside hooks', () => {
  app.route({
    method: 'POST',
    url: '/',
    schema: { body: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    preValidation: [async () => {}],
    handler: async (request) => is<string>()(request.body.a),
  })
})

it('narrows the payload by the status', () => {
  const response = { 200: Type.Object({ id: Type.Number() }), 404: Type.Object({ message: Type.String() }) }
  app.get('/', { schema: { response } }, async (request, reply) => {
    // @ts-expect-error -- 404 has a message
    reply.code(404).send({ id: 1 })
    return { id: 1 }
  })
})

it('checks a returned value against the success, not against any status', () => {
  const response = { 200: Type.Object({ id: Type.Number() }), 404: Type.Object({ message: Type.String() }) }
  // @ts-expect-error -- that is the payload of 404
  app.get('/', { schema: { response } }, async () => ({ message: 'none' }))
})

it('enforces the statuses that are declared', () => {
  app.get('/', { schema: { response: { 200: Type.String() } } }, (request, reply) => {
    // @ts-expect-error -- 500 is not declared
    reply.status(500)
  })
})

it("assigns an app with a logger of one's own to any instance", async () => {
  const { cloister } = await import('cloister')
  const take = (instance: FastifyInstance): FastifyBaseLogger => instance.log
  const logger: Logger = await import('pino').then(({ pino }) => pino())
  take(cloister({ loggerInstance: logger }))
  take(shop)
})

it('enforces the options that a plugin requires', () => {
  const secured: FastifyPluginAsync<{ secret: string }> = async () => {}
  // @ts-expect-error -- 'secret' is missing
  app.register(secured)
  // @ts-expect-error -- 'secret' is missing
  app.register(secured, {})
  app.register(secured, { secret: 'x' })
})

it('takes a placeholder of null for a decoration that comes later', () => {
  const nobody = (): User | null => null
  app.decorateRequest('user', nobody).get('/', (request) => is<User | null>()(request.user()))
  app
    .decorateRequest('account', { getter: nobody })
    .addHook('preHandler', async (request) => is<User | null>()(request.account))
    .get('/', (request) => is<string | undefined>()(request.account?.name))
})

it('types state of a request where it was declared, and nowhere else', () => {
  app.register(async (child) => {
    child.decorateRequest('trace', '').addHook('onRequest', async (request) => {
      request.trace = request.id
    })
  })
  app.register(async (child) => {
    // @ts-expect-error -- declared in a sibling
    child.addHook('onRequest', async (request) => request.trace)
  })
})

it('asks for one type parameter, not for five', () => {
  const use = (instance: Cloister<Ctx<{ port: number }>>): number => instance.port
  is<number>()(use(app.decorate('port', 1)))
})

it('says in the name of a type what is wrong', () => {
  type Refused = Parameters<typeof wrong>[0]
  const wrong = (error: import('cloister/types').Problem<'all requests would share this object'>): unknown =>
    error
  // @ts-expect-error -- no value has this type
  const refused: Refused = {}
})
