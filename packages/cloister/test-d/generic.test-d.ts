/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'

import type { TSchema as OldSchema } from '@sinclair/typebox'
import type {
  Cloister,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RouteGenericInterface,
  RouteHandlerMethod,
  StandardSchema,
} from 'cloister'
import type {
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from 'cloister/types'
import { z } from 'zod'

import { app, is, it } from './support.ts'

it('takes the schema of a library from a generic helper', () => {
  function create<S extends z.ZodObject>(instance: Cloister, body: S): void {
    instance.post('/', { schema: { body } }, () => 'x')
  }
  create(app, z.object({ a: z.string() }))
})

it('takes any standard schema and any part from a generic helper', () => {
  function read<Q extends StandardSchema, P extends StandardSchema>(
    instance: FastifyInstance,
    querystring: Q,
    params: P,
  ): void {
    instance.get('/:id', { schema: { querystring, params } }, () => 'x')
  }
  read(app, z.object({ a: z.string() }), z.object({ id: z.string() }))
})

it('takes a schema of TypeBox from a generic helper', () => {
  function write<S extends OldSchema>(instance: Cloister, body: S): void {
    instance.post('/', { schema: { body } }, () => 'x')
  }
  app.register(async (child) => write(child, { static: 1, params: [] } as never))
})

it('refuses a type that JSON Schema does not have', () => {
  // @ts-expect-error -- 'strng'
  app.post('/a', { schema: { body: { type: 'strng' } } }, () => 'x')
  // @ts-expect-error -- deep within
  app.post('/b', { schema: { body: { type: 'object', properties: { a: { type: 'int' } } } } }, () => 'x')
  // @ts-expect-error -- in a reply
  app.get('/c', { schema: { response: { 200: { type: 'str' } } } }, () => 'x')
  // @ts-expect-error -- in a shared schema
  app.addSchema({ $id: 'a', type: 'objekt' })
})

it('takes a property that is called `type`, and what is no schema', () => {
  app.post('/a', { schema: { body: { type: { type: 'string' } } } }, () => 'x')
  app.post(
    '/b',
    { schema: { body: { type: 'object', properties: { type: { type: 'string' } } } } },
    () => 'x',
  )
  app.post(
    '/c',
    { schema: { body: { type: 'string', default: { type: 'x' }, 'x-form': { type: 'area' } } } },
    () => 'x',
  )
  app.post(
    '/d',
    { schema: { body: { type: 'object', errorMessage: { type: 'an object, please' } } } },
    () => 'x',
  )
  const loose: { type: string } = { type: 'string' }
  app.post('/e', { schema: { body: loose } }, () => 'x')
  app.post('/f', { schema: { body: z.object({ a: z.optional(z.string()) }) } }, () => 'x')
})

it('types the parameters of a handler that a generic factory makes for any server, schema, provider and logger', () => {
  function createHandler<
    Server extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
    RawReply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
    Schema extends FastifySchema = FastifySchema,
    Provider extends FastifyTypeProvider = FastifyTypeProvider,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(): RouteHandlerMethod<
    Server,
    RawRequest,
    RawReply,
    RouteGenericInterface,
    unknown,
    Schema,
    Provider,
    Logger
  > {
    return async (request, reply) => {
      void reply.header('x-from', request.url)
    }
  }
  app.get('/', createHandler())
})

it('registers the handler of a generic factory in a plugin that is generic over the kind of server', () => {
  interface Text extends RouteGenericInterface {
    Reply: string
  }
  function makeHandler<Server extends RawServerBase>(): RouteHandlerMethod<
    Server,
    RawRequestDefaultExpression<Server>,
    RawReplyDefaultExpression<Server>,
    Text
  > {
    return async (request, reply) => {
      void reply.code(200).header('x-from', request.url)
      return 'x'
    }
  }
  function makePlugin<Server extends RawServerBase = RawServerDefault>(): FastifyPluginAsync<
    { path?: string },
    Server
  > {
    return async (instance, { path = '/graphql' }) => {
      instance.route({ method: ['GET', 'POST'], url: path, handler: makeHandler<Server>() })
      instance.get('/short', makeHandler<Server>())
    }
  }
  app.register(makePlugin(), { path: '/' })
})

it('checks what a handler with a type of its own returns, where that is declared', () => {
  type Text = RouteHandlerMethod<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    { Reply: string }
  >
  const right: Text = async () => 'x'
  // @ts-expect-error -- a number is no text
  const wrong: Text = async () => 1
  app.get('/', right).get('/wrong', wrong)
})

it('takes the type arguments of a reply in the order of the 4.x line and in that of the 5.x line', () => {
  interface Text extends RouteGenericInterface {
    Reply: string
  }
  type Old = FastifyReply<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, Text>
  type New = FastifyReply<Text, RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression>
  const handle = (request: FastifyRequest<Text>, reply: Old): unknown => {
    is<RawReplyDefaultExpression>()(reply.raw)
    // @ts-expect-error -- a number is no text
    reply.send(1)
    return reply.send('x')
  }
  const same = (old: Old): New => old
  app.get<Text>('/', (request, reply) => void handle(request, reply))
  app.get<Text>('/same', (request, reply) => void same(reply).send('x'))
})

it('takes the first type arguments of a reply alone', () => {
  type Http2Reply = FastifyReply<Http2Server, Http2ServerRequest, Http2ServerResponse>
  const open = (reply: Http2Reply): number | undefined => reply.raw.stream.id
  is<(reply: Http2Reply) => number | undefined>()(open)
  const send = (reply: FastifyReply<RawServerDefault>): unknown => reply.raw.writeHead(200)
  is<(reply: FastifyReply<RawServerDefault>) => unknown>()(send)
  const found = <G extends RouteGenericInterface>(reply: FastifyReply<G>): number => reply.raw.statusCode
  app.get('/', (request, reply) => String(found(reply)))
})

it('hands on a reply in code that is generic over the kind of server', () => {
  function received<
    Server extends RawServerBase,
    RawRequest extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
    RawReply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  >(
    reply: FastifyReply<RouteGenericInterface, Server, RawRequest, RawReply>,
    take: (reply: FastifyReply<RouteGenericInterface, Server>) => void,
  ): void {
    take(reply)
  }
  app.get('/', (request, reply) => received<RawServerDefault>(reply, (taken) => void taken.send('x')))
})
