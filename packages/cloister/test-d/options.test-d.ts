import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import * as http2 from 'node:http2'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'

import { cloister } from 'cloister'
import type { CaughtError, FastifyReply, FastifyRequest, TrustedHops } from 'cloister'
import type {
  FastifyHttp2SecureOptions,
  FastifyHttpOptions,
  FastifyHttpsOptions,
  FastifyInstance,
  FastifyPluginAsync,
  FastifyServerFactory,
  FastifyServerOptions,
} from 'cloister/types'

import { is, it } from './support.ts'

it('types the parameters of functions among the options of the factory', () => {
  cloister({
    genReqId: (request) => {
      is<IncomingMessage>()(request)
      return 'x'
    },
    rewriteUrl(request) {
      this.log.info(request.headers)
      return request.url ?? '/'
    },
    frameworkErrors: (error, request, reply) => {
      is<CaughtError>()(error)
      is<FastifyRequest>()(request)
      is<FastifyReply>()(reply)
    },
    clientErrorHandler: (error, socket) => {
      is<string>()(error.code)
      is<Socket>()(socket)
    },
    disableRequestLogging: (request) => request.url === '/',
    trustProxy: (address, hop) => address === '' && hop > 1,
  })
})

it('types the proxies by number and address', () => {
  const proxies: TrustedHops = { hops: 1, from: ['10.0.0.0/8'] }
  is<TrustedHops>()(proxies)
  cloister({ trustProxy: proxies })
  cloister({ trustProxy: { hops: 2, from: 'loopback' } })
})

it('types the parameters of functions within the options of the router', () => {
  cloister({
    routerOptions: {
      onBadUrl: (path, request, response) => {
        is<string>()(path)
        is<IncomingMessage>()(request)
        is<ServerResponse>()(response)
      },
    },
    constraints: {
      tenant: {
        name: 'tenant',
        storage: () => ({ get: () => null, set: () => {} }),
        deriveConstraint: (request) => request.headers['x-tenant'],
      },
    },
  })
})

it('hands serverFactory a handler for requests of every version of HTTP', () => {
  cloister({ serverFactory: (handler) => createServer((request, response) => handler(request, response)) })
  cloister({ serverFactory: (handler) => createServer(handler) })
  const app = cloister({
    serverFactory: (handler) => http2.createServer((request, response) => handler(request, response)),
  })
  const server: http2.Http2Server = app.server
  const factory: FastifyServerFactory = (handler) => createServer(handler)
  cloister({ serverFactory: factory })
  return server
})

it('tells HTTP/2 apart by the options', () => {
  const app = cloister({ http2: true, genReqId: (request) => request.url ?? '' })
  app.get('/', (request) => {
    const raw: http2.Http2ServerRequest = request.raw
    return raw.stream.id
  })
})

declare function restart<S extends HttpsServer>(
  factory: (make: typeof cloister, options: FastifyHttpsOptions<S>) => unknown,
  options?: FastifyHttpsOptions<S>,
): HttpsServer
declare function restart<S extends Server>(
  factory: (make: typeof cloister, options: FastifyHttpOptions<S>) => unknown,
  options?: FastifyHttpOptions<S>,
): Server

it('takes options of any app for those of an app over HTTP/1.1, as Fastify does', () => {
  const make = (options: FastifyHttpOptions<Server>): Server =>
    restart((create, given) => create(given), options)
  return (options: FastifyServerOptions) => make({ ...options }) === make(options)
})

it('tells options with TLS from options without, for wrappers of the factory with an overload for each', () => {
  is<Server>()(restart((make, options) => make(options), { logger: true }))
  is<HttpsServer>()(restart((make, options) => make(options), { https: {} }))
  type Plain = Record<never, never> extends FastifyHttpsOptions ? true : false
  type Http2 = { http2: true } extends FastifyHttp2SecureOptions ? true : false
  const takesPlain: readonly [Plain, Http2] = [false, false]
  return takesPlain
})

it('reads the kind of server from the options of Fastify for HTTP/2', () => {
  const start = (secure: FastifyHttp2SecureOptions<http2.Http2SecureServer>): http2.Http2SecureServer =>
    cloister(secure).server
  const plain: http2.Http2Server = cloister({ http2: true, https: null }).server
  return [start, plain]
})

it('makes an app that fits the type of instances with its kind of server, and the plain one', () => {
  const https = { key: '', cert: '' }
  const secure: FastifyInstance<http2.Http2SecureServer> = cloister({ http2: true, https, logger: true })
  const open: FastifyInstance<http2.Http2Server> = cloister({ http2: true })
  const tls: FastifyInstance<HttpsServer> = cloister({ https })
  const plain: FastifyInstance = cloister({ https })
  secure.get('/', (request) => request.raw.stream.id)
  tls.get('/', (request) => is<IncomingMessage>()(request.raw))
  const plugin: FastifyPluginAsync = async (app) => void app.get('/', (request) => request.url)
  cloister({ https }).register(plugin, {})
  cloister({ http2: true }).register(plugin, {})
  type FitsSecure = typeof withoutTls extends FastifyInstance<http2.Http2SecureServer> ? true : false
  const withoutTls = cloister({ http2: true })
  const fits: FitsSecure = false
  return [open, plain, withoutTls, fits]
})

declare function restartAny<S extends http2.Http2SecureServer>(
  factory: (make: typeof cloister, options: FastifyHttp2SecureOptions<S>) => Promise<{ readonly server: S }>,
  options?: FastifyHttp2SecureOptions<S>,
): http2.Http2SecureServer
declare function restartAny<S extends Server>(
  factory: (make: typeof cloister, options: FastifyHttpOptions<S>) => Promise<{ readonly server: S }>,
  options?: FastifyHttpOptions<S>,
): Server

it('compiles for wrappers of the factory without options', () => {
  return restartAny(async (make, options) => make(options))
})
