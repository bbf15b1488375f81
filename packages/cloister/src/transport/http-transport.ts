import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { AppState } from '../app-state.ts'
import { createError } from '../errors.ts'
import { isLate, isThenable, typeName } from '../functions.ts'
import { Admission } from '../request/admission.ts'
import { answerFrameworkError, dispatch } from '../request/dispatch.ts'
import { refuseWhenClosing } from '../request/refuse-when-closing.ts'
import { answerClientError, statusOf } from './client-error.ts'
import type { ClientError } from './client-error.ts'
import { Connections } from './connections.ts'
import { createServer } from './create-server.ts'
import type { AnyServer } from './create-server.ts'
import { closeServer } from './drain.ts'
import { bindAll } from './listen.ts'
import type { ListenTarget } from './listen-options.ts'
import { NodeExchange } from './node/node-exchange.ts'

/**
 * The transport of Node's own servers: makes them, hands their requests to the app, listens, and stops gracefully.
 */
export class HttpTransport {
  /** the main server; made at once, because plugins listen to its events before it listens itself */
  readonly server: AnyServer
  readonly #app: AppState
  readonly #given: unknown
  readonly #admission: Admission
  readonly #connections: Connections
  #servers: AnyServer[] = []

  constructor(app: AppState, given: unknown) {
    this.#app = app
    this.#given = given
    this.#admission = new Admission(app.options)
    this.#connections = new Connections(app.options.writeTimeout, app.logger)
    this.server = this.#createServer()
  }

  /** The addresses that are bound, by the app or by whoever listens with its server. */
  get addresses(): ReturnType<AnyServer['address']>[] {
    const servers = this.#servers.length === 0 ? [this.server] : this.#servers
    return servers.map((server) => server.address()).filter((address) => address !== null)
  }

  #createServer(): AnyServer {
    const server = createServer(this.#app.options, this.#given, this.handle)
    this.#connections.watch(server, this.#app.options.http2)
    server.on('clientError', (error: ClientError, socket: Socket) => {
      const connection = this.#connections.open.get(socket)
      if (connection === undefined || socket.destroyed) this.#refuseBytes(error, socket)
      else {
        Object.assign(error, { statusCode: statusOf(error) })
        connection.refuse(error, () => this.#refuseBytes(error, socket))
      }
    })
    return server
  }

  #refuseBytes(error: ClientError, socket: Socket): void {
    const { logger, options, root } = this.#app
    if (options.clientErrorHandler === null) {
      answerClientError(error, socket, logger)
      return
    }
    const fail = (err: unknown): void => {
      // There is no request that could be answered; the process must not end for it.
      logger.error({ err }, 'the clientErrorHandler failed')
      socket.destroy()
    }
    try {
      const result = options.clientErrorHandler.call(root.instance, error, socket)
      if (isThenable(result)) result.then(undefined, fail)
    } catch (err) {
      fail(err)
    }
  }

  /** Takes a request of any server with Node's interface: a real one, a test's, or one that user code brings. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { phase } = this.#app
    const isClosing = phase === 'closing' || phase === 'closed'
    const connection = this.#connections.open.get(request.socket)
    if (connection === undefined || connection.begin(response)) this.#start(request, response, isClosing)
    else connection.wait(response, () => this.#start(request, response, isClosing))
  }

  #start(request: IncomingMessage, response: ServerResponse, isClosing: boolean): void {
    const app = this.#app
    const exchange = new NodeExchange(request, response)
    try {
      if (isClosing && refuseWhenClosing(app, exchange)) return
      const refused = this.#admission.check(exchange)
      if (refused !== null) answerFrameworkError(app, exchange, refused)
      else if (app.options.rewriteUrl === null) dispatch(app, exchange)
      else dispatch(app, this.#rewrite(request, response, app.options.rewriteUrl))
    } catch (error) {
      try {
        answerFrameworkError(app, exchange, error)
      } catch {
        // What decides about log lines fails for every request: only the client is left to tell.
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
    if (typeof url !== 'string') {
      const type = isLate(url) ? 'promise' : typeName(url)
      throw createError('ROUTE_REWRITE_NOT_STR', { url: original, type })
    }
    request.url = url
    return new NodeExchange(request, response, original)
  }

  /** Binds the addresses; resolves to the main one as text. */
  async listen(target: ListenTarget): Promise<string> {
    const { servers, address } = await bindAll(this.server, () => this.#createServer(), target)
    this.#servers = servers
    return address
  }

  /**
   * Stops accepting connections and waits for the requests in flight.
   *
   * @param graceMs - for how long; what is left then is cut. 0 for any time
   */
  async stop(graceMs: number): Promise<void> {
    const { options, logger } = this.#app
    const onCut = (count: number): void => {
      if (count > 0) logger.warn(`${count} connections are still open at the end of closeGraceMs and are cut`)
    }
    const drain = { force: options.forceCloseConnections, graceMs, onCut }
    // A server that the application listens with itself is closed by the application.
    await Promise.all(this.#servers.map((server) => closeServer(server, this.#connections, drain)))
  }
}

/** The last answer, by the server alone. */
function answerBroken(response: ServerResponse): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(500, { 'content-length': '0' }).end()
}
