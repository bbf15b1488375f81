// Plugins with the declarations they are published with, in an app that aliases `fastify` to this package: they
// import their types from here, and what they merge into the global interfaces is seen here.

import accepts from '@fastify/accepts'
import auth from '@fastify/auth'
import basicAuth from '@fastify/basic-auth'
import bearerAuth from '@fastify/bearer-auth'
import caching from '@fastify/caching'
import circuitBreaker from '@fastify/circuit-breaker'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import etag from '@fastify/etag'
import express from '@fastify/express'
import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import httpProxy from '@fastify/http-proxy'
import jwt from '@fastify/jwt'
import middie from '@fastify/middie'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import replyFrom from '@fastify/reply-from'
import requestContext from '@fastify/request-context'
import responseValidation from '@fastify/response-validation'
import secureSession from '@fastify/secure-session'
import sensible from '@fastify/sensible'
import session from '@fastify/session'
import staticFiles from '@fastify/static'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import urlData from '@fastify/url-data'
import view from '@fastify/view'
import websocket from '@fastify/websocket'
import type { FastifyPluginAsyncTypebox, FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import autoload from '@fastify/autoload'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteShorthandOptions,
} from 'fastify'
import { cloister } from 'fastify'
import fp from 'fastify-plugin'

import { is, it } from '../support.ts'

const app = cloister()
declare const createError: () => FastifyError

it('registers plugins as they are published, without a cast', () => {
  app.register(accepts)
  app.register(auth)
  app.register(basicAuth, { validate: async () => {} })
  app.register(bearerAuth, { keys: ['x'] })
  app.register(caching)
  app.register(circuitBreaker)
  app.register(compress)
  app.register(cookie, { secret: 'x' })
  app.register(cors, { origin: true })
  app.register(etag)
  app.register(express)
  app.register(formbody)
  app.register(helmet)
  app.register(httpProxy, { upstream: 'http://localhost' })
  app.register(jwt, { secret: 'x' })
  app.register(middie)
  app.register(multipart)
  app.register(rateLimit, { max: 1 })
  app.register(replyFrom)
  app.register(requestContext)
  app.register(responseValidation)
  app.register(secureSession, { key: Buffer.alloc(32) })
  app.register(sensible)
  app.register(session, { secret: 'x' })
  app.register(staticFiles, { root: '/' })
  app.register(swagger)
  app.register(swaggerUi)
  app.register(underPressure)
  app.register(urlData)
  app.register(view, { engine: {} })
  app.register(websocket)
  app.register(autoload, { dir: '/' })
})

it('shows what plugins merge into the global interfaces', () => {
  is<string>()(app.jwt.sign({ a: 1 }))
  app.get('/', async (request, reply) => {
    is<{ [name: string]: string | undefined }>()(request.cookies)
    await request.jwtVerify()
    reply.setCookie('a', 'b').code(200).clearCookie('a')
    reply.code(200).setCookie('a', 'b')
    return reply.notFound()
  })
})

it('takes what plugins merge into the options of routes', () => {
  app.get('/', { config: { rateLimit: { max: 1 } }, schema: { hide: true, tags: ['x'] } }, () => 'x')
  app.get('/ws', { websocket: true }, (socket, request) => {
    is<string>()(socket.protocol)
    is<string>()(request.url)
  })
  app.route({ method: 'GET', url: '/both', handler: () => 'x', wsHandler: (socket) => socket.close() })
})

it('keeps types that follow contexts beside the global ones', () => {
  const named = app.decorate('name', 'x')
  is<string>()(named.jwt.sign({ name: named.name }))
  const isNamed = (): typeof app extends { readonly name: unknown } ? true : false => false
  is<false>()(isNamed())
})

it('compiles apps and plugins that import the usual names', () => {
  interface Body {
    name: string
  }
  const handler = async (
    request: FastifyRequest<{ Body: Body }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => reply.code(201).send(request.body.name)
  const routes = async (instance: FastifyInstance): Promise<void> => {
    instance.post('/', handler)
    instance.post<{ Body: Body }>('/typed', async (request) => request.body.name)
  }
  app.register(routes, { prefix: '/v1' })
  app.register(fp(routes, { name: 'routes' }))
  app.decorate('verify', async (request: FastifyRequest, _reply: FastifyReply) => {
    await request.jwtVerify()
  })
  const hook: preHandlerHookHandler = (_request, _reply, done) => done()
  const options: RouteShorthandOptions = { preHandler: [hook], schema: { querystring: { type: 'object' } } }
  app.get('/options', options, async (request: FastifyRequest, reply: FastifyReply) =>
    reply.send(request.query),
  )
  is<string>()(createError().code)
  app.setErrorHandler((caught: FastifyError, request, reply) =>
    reply.code(caught.statusCode ?? 500).send(caught.code),
  )
})

it('registers plugins that are typed by a type provider', () => {
  const routes: FastifyPluginAsyncTypebox = async (instance) => {
    instance.get('/typed', () => 'x')
  }
  const more: FastifyPluginCallbackTypebox = (instance, options, done) => done()
  app.register(routes)
  app.register(routes, { prefix: '/v1' })
  app.register(more)
})

it('takes the type arguments of hooks and replies that the ecosystem writes', () => {
  type Typed = preHandlerHookHandler<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface
  >
  const hook: Typed = (request, reply, done) => done()
  const asynchronous: preHandlerAsyncHookHandler<RawServerDefault> = async () => {}
  app.get('/', { preHandler: [hook, asynchronous] }, () => 'x')
  const send = (reply: FastifyReply<RawServerDefault>): unknown => reply.send('x')
  app.get('/sent', (request, reply) => void send(reply))
})
