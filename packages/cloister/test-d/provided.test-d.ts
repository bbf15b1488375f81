/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type { Static, TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'
import type {
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'cloister'
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'cloister/types'
import { z } from 'zod'

import { app, is, it } from './support.ts'

/** As type providers for Fastify 5 are declared. */
interface TypeBoxProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}
/** As type providers for Fastify 4 are declared. */
interface OlderProvider extends FastifyTypeProvider {
  readonly output: this['input'] extends z.ZodType ? z.output<this['input']> : unknown
}
/** A provider whose handlers send another type than clients get. */
interface WrittenProvider extends FastifyTypeProvider {
  readonly validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  readonly serializer: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
}

type RequestBy<S extends FastifySchema, P extends FastifyTypeProvider = TypeBoxProvider> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  S,
  P
>
type ReplyBy<S extends FastifySchema, P extends FastifyTypeProvider = TypeBoxProvider> = FastifyReply<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  ContextConfigDefault,
  S,
  P
>
type HandlerBy<S extends FastifySchema, P extends FastifyTypeProvider> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  S,
  P
>

const product = {
  body: Type.Object({ name: Type.String(), price: Type.Number() }),
  querystring: Type.Object({ dry: Type.Optional(Type.Boolean()) }),
  response: { 201: Type.Object({ id: Type.Number() }) },
}

it('types a handler that names its schema and its type provider', () => {
  const create = async (request: RequestBy<typeof product>, reply: ReplyBy<typeof product>) => {
    is<string>()(request.body.name)
    is<boolean | undefined>()(request.query.dry)
    // @ts-expect-error -- not in the schema
    void request.body.colour
    // @ts-expect-error -- 'id' is a number
    reply.code(201).send({ id: 'x' })
    return reply.code(201).send({ id: 1 })
  }
  app.post('/products', { schema: product }, create)
})

it('takes a type provider of the 4.x line', () => {
  const schema = { params: z.object({ id: z.coerce.number() }) }
  const read = (request: RequestBy<typeof schema, OlderProvider>) => is<number>()(request.params.id)
  app.get('/products/:id', { schema }, (request) => {
    read(request)
    return 'x'
  })
})

it('types a handler method by its schema and its type provider', () => {
  const when = z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  const schema = { body: z.object({ name: z.string() }), response: { 200: z.object({ at: when }) } }
  const handler: HandlerBy<typeof schema, WrittenProvider> = (request, reply) => {
    is<string>()(request.body.name)
    reply.send({ at: new Date() })
  }
  // @ts-expect-error -- 'at' is missing
  const wrong: HandlerBy<typeof schema, WrittenProvider> = () => ({ on: new Date() })
  void [handler, wrong]
})

it('reads the schema itself where a type provider says nothing of it', () => {
  const schema = {
    body: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
  } as const
  const read = (request: RequestBy<typeof schema>) => is<number>()(request.body.n)
  app.post('/numbers', { schema }, (request) => {
    read(request)
    return 'x'
  })
})

it('prefers the type argument of the route', () => {
  type Given = FastifyRequest<
    { Body: { own: string } },
    RawServerDefault,
    RawRequestDefaultExpression,
    typeof product,
    TypeBoxProvider
  >
  const read = (request: Given) => is<string>()(request.body.own)
  void read
})
