import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { AppState } from '../app-state.ts'
import { createError } from '../errors.ts'
import { logSafely } from '../logging/request-log.ts'
import { typeName } from '../functions.ts'
import { answerFrameworkError, dispatch } from '../request/dispatch.ts'
import { answerClientError } from './client-error.ts'
import { createServer } from './create-server.ts'
import type { AnyServer } from './create-server.ts'
import { bindAll } from './listen.ts'
import type { ListenTarget } from './listen-options.ts'
import { closeServer, Connections } from './drain.ts'
import { NodeExchange } from './node-http.ts'

const CLOSING_BODY = '{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}'

/**
 * The transport of Node's own servers: makes them, hands their requests to the app, listens, and stops gracefully.
 */
export class HttpTransport {
  /** the main server; made at once, because plugins listen to its events before it listens itself */
  readonly server: AnyServer
  readonly #app: AppState
  readonly #given: unknown
  readonly #connections = new Connections()
  #servers: AnyServer[] = []

  constructor(app: AppState, given: unknown) {
    this.#app = app
    this.#given = given
    this.server = this.#createServer()
  }

  /** The addresses that are bound, by the app or by whoever listens with its server. */
  get addresses(): ReturnType<AnyServer['address']>[] {
    const servers = this.#servers.length === 0 ? [this.server] : this.#servers
    return servers.map((server) => server.address()).filter((address) => address !== null)
  }

  #createServer(): AnyServer {
    const server = createServer(this.#app.options, this.#given, this.handle)
    const { clientErrorHandler } = this.#app.options
    this.#connections.watch(server)
    server.on('clientError', (error: Error, socket: Socket) => {
      if (clientErrorHandler === null) {
        answerClientError(error, socket, this.#app.logger)
        return
      }
      try {
        clientErrorHandler.call(this.#app.root.instance, error, socket)
      } catch (err) {
        // No request stands behind it that could be answered; the process must not end for it.
        this.#app.logger.error({ err }, 'the clientErrorHandler failed')
        socket.destroy()
      }
    })
    return server
  }

  /** Takes a request of any server with Node's interface: a real one, a test's, or one that user code brings. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.#isClosing && this.#refuse(request, response)) return
    const exchange = new NodeExchange(request, response)
    const app = this.#app
    try {
      if (request.httpVersion !== '1.1' && !isOtherVersion(request)) refuseVersion(response)
      else if (hasTwoHosts(request.rawHeaders)) refuseHosts(app, exchange, response)
      else if (app.options.rewriteUrl === null) dispatch(app, exchange)
      else dispatch(app, this.#rewrite(request, response, app.options.rewriteUrl))
    } catch (error) {
      try {
        answerFrameworkError(app, exchange, error)
      } catch {
        // What decides about its log lines fails for every request: there is nobody to tell but the client.
        answerBroken(response)
      }
    }
  }

  #rewrite(
    request: IncomingMessage,
    response: ServerResponse,
    rewriteUrl: (...args: unknown[]) => unknown,
  ): NodeExchange {
    const original = request.url ?? '/'
    Object.assign(request, { originalUrl: original })
    const url = rewriteUrl.call(this.#app.root.instance, request)
    if (typeof url !== 'string')
      throw createError('ROUTE_REWRITE_NOT_STR', { url: original, type: typeName(url) })
    request.url = url
    return new NodeExchange(request, response)
  }

  get #isClosing(): boolean {
    const { phase } = this.#app
    return phase === 'closing' || phase === 'closed'
  }

  /** While the app closes, new requests are told so, and that their connection ends. */
  #refuse(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.httpVersionMajor < 2) response.setHeader('connection', 'close')
    if (!this.#app.options.return503OnClosing) return false
    response.writeHead(503, { 'content-type': 'application/json', 'content-length': CLOSING_BODY.length })
    response.end(CLOSING_BODY)
    const { logController, logger, root } = this.#app
    logSafely(this.#app, () => logController.serviceUnavailable(logger, root.instance))
    return true
  }

  /** Binds the addresses; resolves to the main one as text. */
  async listen(target: ListenTarget): Promise<string> {
    const { servers, address } = await bindAll(this.server, () => this.#createServer(), target)
    this.#servers = servers
    return address
  }

  /** Stops accepting connections and waits for the requests in flight, within the grace period. */
  async stop(): Promise<void> {
    const { closeGraceMs, forceCloseConnections } = this.#app.options
    // A server that the application listens with itself is closed by the application.
    await Promise.all(
      this.#servers.map((server) =>
        closeServer(server, this.#connections, forceCloseConnections, closeGraceMs),
      ),
    )
  }
}

/** A request line may claim any version; requests of HTTP/2 have a stream. */
function isOtherVersion(request: IncomingMessage): boolean {
  const { httpVersion } = request
  return httpVersion === '1.0' || (httpVersion === '2.0' && 'stream' in request)
}

function refuseVersion(response: ServerResponse): void {
  const body =
    '{"error":"HTTP Version Not Supported","message":"HTTP Version Not Supported","statusCode":505}'
  response.writeHead(505, {
    'content-type': 'application/json',
    'content-length': body.length,
    connection: 'close',
  })
  response.end(body)
}

/**
 * More than one Host line (RFC 9112 section 3.2): the server would take the first where a proxy before it may have
 * taken the last. A request that user code brings need not have raw headers.
 */
function hasTwoHosts(rawHeaders: readonly string[] | undefined): boolean {
  if (rawHeaders === undefined) return false
  let seen = false
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    if (seen) return true
    seen = true
  }
  return false
}

/** Whoever sent it reads requests in another way: nothing else is read from that connection. */
function refuseHosts(app: AppState, exchange: NodeExchange, response: ServerResponse): void {
  if (exchange.httpVersion.startsWith('1')) response.setHeader('connection', 'close')
  answerFrameworkError(app, exchange, createError('HOST_AMBIGUOUS', {}))
}

/** The last answer, by the server alone. */
function answerBroken(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(500, { 'content-length': '0' }).end()
}
