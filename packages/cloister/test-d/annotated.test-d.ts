/* oxlint-disable typescript/ban-ts-comment -- a type test also says what must not compile */

// Handlers that are annotated as the ecosystem writes them, in each form of a route.

import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteHandlerMethod,
  RouteOptions,
  RouteShorthandOptions,
} from 'cloister'
import type {
  FastifyPluginCallback,
  FastifyRegisterOptions,
  FastifyTypeProviderDefault,
  onRouteHookHandler,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandler,
} from 'cloister/types'

import { app, is, it } from './support.ts'

interface Item {
  a: number
}
interface Route {
  Body: Item
  Params: { id: string }
  Reply: { ok: boolean }
}
type ItemRequest = FastifyRequest<{ Body: Item }>

const read = async (request: ItemRequest, _reply: FastifyReply): Promise<Item> => ({ a: request.body.a })
const sent = async (request: ItemRequest, reply: FastifyReply): Promise<void> => {
  reply.send(request.body)
}
const stated: RouteHandler<Route> = async (request) => ({ ok: request.body.a > 1 })
const check = async (_request: FastifyRequest, _reply: FastifyReply): Promise<void> => {}
const old: preHandlerHookHandler = (_request, _reply, done) => done()
const young: preHandlerAsyncHookHandler = async () => {}

it('takes an annotated handler beside options without a schema', () => {
  app.post('/config', { config: {} }, read)
  app.post('/limit', { bodyLimit: 10 }, sent)
  app.post('/hook', { onRequest: check }, read)
  app.post('/hooks', { preHandler: [old, young, check] }, sent)
  app.post('/context', { onRequest: [async () => {}], config: { x: 1 } }, read)
  app.post('/late', { attachValidation: true }, read)
  app.post('/inner', { config: {}, handler: read })
  app.get('/q', { config: {} }, async (request: FastifyRequest<{ Querystring: { page: number } }>) =>
    is<number>()(request.query.page),
  )
  app.get('/h', { config: {} }, async (request: FastifyRequest<{ Headers: { 'x-a': string } }>) =>
    is<string>()(request.headers['x-a']),
  )
  app.get('/p/:id', { config: {} }, async (request: FastifyRequest<{ Params: { id: number } }>) =>
    is<number>()(request.params.id),
  )
})

it('takes an annotated handler in `route`, in every kind of instance', () => {
  app.route({ method: 'POST', url: '/a', handler: read })
  app.route({ method: ['POST', 'PUT'], url: '/b', preHandler: [check], handler: sent })
  const named = app.decorateRequest('user', '').decorate('db', 1)
  named.route({ method: 'POST', url: '/c', handler: read })
  named.post('/d', { config: {} }, read)
  app.register(async (child: FastifyInstance) => {
    child.post('/e', { preHandler: check }, read).route({ method: 'POST', url: '/f', handler: read })
  })
})

it('takes handlers and options that were declared as values', () => {
  const plain: RouteHandlerMethod = async () => 'x'
  const options: RouteShorthandOptions = { preHandler: [old] }
  const whole: RouteOptions = { method: 'POST', url: '/whole', handler: plain }
  app.post('/a/:id', { config: {} }, stated).post('/b', { config: {} }, plain).post('/c', options, read)
  app.route({ method: 'POST', url: '/d/:id', handler: stated }).route(whole)
  class Items {
    async create(request: ItemRequest, reply: FastifyReply): Promise<FastifyReply> {
      return reply.code(201).send(request.body)
    }
  }
  const items = new Items()
  app.post('/e', { onRequest: [] }, items.create.bind(items))
})

it('takes an annotated handler beside a schema of no known type', () => {
  const wide = { body: { type: 'object', required: ['a'], properties: { a: { type: 'number' } } } }
  const schema: object = wide
  const interfaced: FastifySchema = wide
  const body: unknown = wide.body
  app.post('/a', { schema: wide }, read)
  app.post('/b', { schema }, read)
  app.post('/c', { schema: interfaced }, read)
  app.post('/d', { schema: { body } }, read)
  app.post('/e', { schema: { summary: 'x', tags: ['y'] } }, read)
})

it('lets an annotation say more than the schema, and refuses one that contradicts it', () => {
  const open = { type: 'object', properties: { a: { type: 'number' } } } as const
  const text = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } as const
  app.post('/more', { schema: { body: open } }, read)
  // @ts-expect-error -- the schema says text, the annotation a number
  app.post('/less', { schema: { body: text } }, read)
  // @ts-expect-error -- also in `route`
  app.route({ method: 'POST', url: '/route', schema: { body: text }, handler: read })
  // @ts-expect-error -- also among the options
  app.post('/inner', { schema: { body: text }, handler: read })
  // @ts-expect-error -- also for the query string
  app.get('/q', { schema: { querystring: text } }, (_request: FastifyRequest<{ Querystring: Item }>) => 'x')
  // @ts-expect-error -- also for the parameters
  app.get('/p/:a', { schema: { params: text } }, (_request: FastifyRequest<{ Params: Item }>) => 'x')
  // @ts-expect-error -- a response schema is checked too
  app.post('/r', { schema: { response: { 200: text } } }, read)
})

it('keeps a body without schema and annotation unknown', () => {
  app.post('/', { config: {} }, (request) => is<unknown>()(request.body))
})

it('lets hooks and transforms assign the schemas of a route', () => {
  const schema: FastifySchema = {}
  schema.body = { type: 'object' }
  schema.response = {}
  app.addHook('onRoute', (route) => {
    route.schema = route.schema ?? {}
    route.schema.headers = { type: 'object' }
  })
})

it('takes the options of a plugin that does not know them', () => {
  const plugin = (instance: FastifyInstance, _: FastifyRegisterOptions<unknown>, done: () => void): void =>
    done()
  app.register(plugin)
})

it('types the options of a plugin that a generic call returns', () => {
  interface Options<T> {
    contract?: T
    refuse?: 'all' | ((error: Error, reply: FastifyReply) => void)
  }
  const plugin = <T extends string>(contract: T): FastifyPluginCallback<Options<T>> => {
    return (_instance, options, done) => done(options.contract === contract ? undefined : new Error('other'))
  }
  app.register(plugin('a'), {
    refuse: (error, reply) => {
      is<FastifyReply>()(reply)
      is<string>()(error.message)
    },
  })
  app.register(plugin('a'), { refuse: (_error, reply) => is<FastifyReply>()(reply), prefix: '/v1' })
  app.register(plugin('a'))
  // @ts-expect-error no such option
  app.register(plugin('a'), { contracts: 'a' })
  // @ts-expect-error a prefix is text
  app.register(plugin('a'), { prefix: 1 })
})

it('gives the config and schema that options of a route name to their handler, hooks and error handler', () => {
  interface Config {
    contract: { path: string }
  }
  type Options = RouteOptions<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    Config
  >
  type Given = Parameters<Options['handler']>[0]
  const serve = async (
    request: FastifyRequest<
      RouteGenericInterface,
      RawServerDefault,
      RawRequestDefaultExpression,
      FastifySchema,
      FastifyTypeProviderDefault,
      Config
    >,
    reply: FastifyReply<
      RouteGenericInterface,
      RawServerDefault,
      RawRequestDefaultExpression,
      RawReplyDefaultExpression,
      Config
    >,
  ) => request.routeOptions.config.contract.path + reply.routeOptions.config.contract.path
  const options: Options = {
    method: 'GET',
    url: '/',
    config: { contract: { path: '/' } },
    onRequest: async (request) => is<string>()(request.routeOptions.config.contract.path),
    errorHandler: (_error, request) => is<string>()(request.routeOptions.config.contract.path),
    handler: (request, reply) => serve(request, reply),
  }
  app.route(options)
  is<string>()(({} as Given).routeOptions.config.contract.path)
  const listed: onRouteHookHandler<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    Config
  > = (route) => is<string | undefined>()(route.config?.contract.path)
  app.addHook('onRoute', listed)
  const limit = <C = unknown>(): preHandlerAsyncHookHandler<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    C
  > => {
    return async () => {}
  }
  app.get('/', { preHandler: limit(), config: { contract: { path: '/' } } }, () => 'x')
})

it('takes a hook in callback style that is declared as such and returns nothing', () => {
  type Hook = preHandlerHookHandler
  function mark(...[, reply, done]: Parameters<Hook>): ReturnType<Hook> {
    reply.header('x-mark', '1')
    done()
  }
  const sent: Hook = (_request, reply) => reply.send('early')
  const late: Hook = async () => {}
  app.get('/', { preHandler: [mark, sent, late] }, () => 'x')
})
