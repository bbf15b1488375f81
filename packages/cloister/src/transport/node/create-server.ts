import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { turnOf } from '@cloister/wire/internal'

import { dependencies } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import { recordOf, typeName } from '../../guards.ts'
import type { AppOptions } from '../../options/checked-options.generated.ts'

/** The interval for checking the deadlines of requests that are still arriving, in milliseconds. */
export const CHECKING_MS = 2000

/** The most concurrent streams of a session. Node has no limit; RFC 9113 section 6.5.2 recommends at least 100. */
const SETTINGS = { maxConcurrentStreams: 128 }

/** A server of an app: HTTP/1.1, with or without TLS, or HTTP/2 with Node's compatibility interface. */
export type AnyServer = Server

export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Creates the server of an app from its options `serverFactory`, `http2`, `https` and `http`.
 *
 * @param given - the options as the application wrote them, for its `serverFactory`
 */
export function createServer(options: AppOptions, given: unknown, listener: Listener): AnyServer {
  const { serverFactory, http2, https, http } = options
  if (serverFactory !== null) {
    const server = serverFactory(listener, given)
    if (!isServer(server)) {
      const problem = `serverFactory must return a server with 'listen' and 'close', got ${typeName(server)}`
      throw createError('INIT_OPTS_INVALID', { problem })
    }
    return server
  }
  if (http2) return createHttp2Server(options, listener)
  const server =
    https === null
      ? createHttpServer({ connectionsCheckingInterval: CHECKING_MS, ...http }, listener)
      : dependencies
          .https()
          .createServer(
            { connectionsCheckingInterval: CHECKING_MS, ...handshakeOf(options), ...https },
            listener,
          )
  limitHttp1(server, options)
  continueWhenRead(server, listener)
  server.setTimeout(options.connectionTimeout)
  return server
}

/** Before the first byte of a head, a client has to shake hands. Node would wait for two minutes. */
function handshakeOf({ headersTimeout }: AppOptions): { readonly handshakeTimeout: number } {
  return { handshakeTimeout: headersTimeout }
}

/** What Node reads of a server when an HTTP/1.1 client connects. */
type Http1Limits = Pick<
  Server,
  'keepAliveTimeout' | 'requestTimeout' | 'headersTimeout' | 'maxHeadersCount' | 'maxRequestsPerSocket'
>

function limitHttp1(server: Http1Limits, options: AppOptions): void {
  const { http, requestTimeout } = options
  server.keepAliveTimeout = options.keepAliveTimeout
  server.requestTimeout = requestTimeout
  // Node exchanges the two if the time for the head is longer.
  const headersTimeout = http?.headersTimeout ?? options.headersTimeout
  server.headersTimeout = requestTimeout > 0 ? Math.min(headersTimeout, requestTimeout) : headersTimeout
  // Node silently drops lines above its limit. Admission counts them instead.
  server.maxHeadersCount = 0
  if (options.maxRequestsPerSocket > 0) server.maxRequestsPerSocket = options.maxRequestsPerSocket
}

function isServer(value: unknown): value is AnyServer {
  return typeof value === 'object' && value !== null && 'listen' in value && 'close' in value
}

function createHttp2Server(options: AppOptions, listener: RequestListener): AnyServer {
  const http2 = dependencies.http2()
  const server: NodeJS.EventEmitter & { setTimeout(ms: number): unknown } =
    options.https === null
      ? http2.createServer({ settings: SETTINGS })
      : http2.createSecureServer({
          ...handshakeOf(options),
          ...options.https,
          settings: { ...SETTINGS, ...recordOf(options.https['settings']) },
        })
  server.on('request', listener)
  // Applications listen to `timeout` of a session. The sweep closes sessions, because one with open requests is not idle.
  server.on('session', (session: import('node:http2').Http2Session) => {
    session.setTimeout(options.http2SessionTimeout)
  })
  server.setTimeout(options.connectionTimeout)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compatibility interface gives HTTP/2 requests and responses the shape of HTTP/1.1 ones
  const shaped = server as unknown as AnyServer
  if (options.https?.['allowHTTP1'] === true) {
    limitHttp1(shaped, options)
    // Node takes these from the options of its other servers.
    Object.assign(shaped, { connectionsCheckingInterval: CHECKING_MS, requireHostHeader: true })
  }
  return shaped
}

/**
 * Sends `100 Continue` when the body is first read, and not if the request is rejected before. Such a response closes
 * the connection, because the client may or may not send the body (RFC 9110 section 10.1.1). Node would send it
 * immediately. A listener of the application replaces this behavior.
 */
export function continueWhenRead(server: AnyServer, listener: Listener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (server.listenerCount('checkContinue') > 1) return
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request._read = (size) => {
      Reflect.deleteProperty(request, '_read')
      if (turnOf(response).mayInform) {
        response.writeContinue()
        response.shouldKeepAlive = shouldKeepAlive
      }
      request._read(size)
    }
    listener(request, response)
  })
}
