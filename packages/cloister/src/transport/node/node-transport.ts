import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { ListenTarget } from '../listen-options.ts'
import type { Listening, NodeEntry, Transport, TransportHost } from '../transport.ts'
import type { AppTransport } from '../../types/server.ts'
import { logSafely } from '../../logging/request-log.ts'
import { warn } from '../../logging/warnings.ts'
import { missingForTls } from './certificate.ts'
import { originOf, reachableAt, bindAll } from './listen.ts'
import { sendClientError, statusOf, type ClientError } from './client-error.ts'
import { Connections } from './connections.ts'
import { createServer, type AnyServer } from './create-server.ts'
import { closeServer } from './drain.ts'
import { losesBytes } from './ignored-upgrade.ts'
import type { NodeConnection } from '../../types/upgrade.ts'
import { Upgrades } from './upgrades.ts'
import { InjectEntry } from '../inject/inject-entry.ts'
import { NodeExchange } from '../raw/node-exchange.ts'
import { attachWire, costOf, type Asked } from '../wire/attach-wire.ts'

interface Served {
  readonly server: AnyServer
  readonly lane: AppTransport
}

/** The transport over Node's servers: creates them, passes their requests to the app, listens, and stops gracefully. */
export class NodeTransport implements Transport, NodeEntry {
  readonly node: NodeEntry
  readonly injector: InjectEntry
  readonly #host: TransportHost
  readonly #given: unknown
  readonly #connections: Connections
  readonly #asked: Asked
  #main: Served | null = null
  #servers: AnyServer[] = []
  #upgrades: Upgrades | null = null
  /** functions that remove the listeners of this app from its servers */
  readonly #unwatch: (() => void)[] = []

  /**
   * @param given - the options as the application wrote them, for its `serverFactory`
   * @param asked - the requested lane
   */
  constructor(host: TransportHost, given: unknown, asked: Asked) {
    this.node = this
    this.injector = new InjectEntry(host, this.handle)
    this.#asked = asked
    this.#host = host
    this.#given = given
    this.#connections = new Connections(host.options, host)
    // Created at once, because the application may keep the server of its factory, and errors in other options must be
    // thrown now.
    const { serverFactory, http, https, http2 } = host.options
    if (http2 || [serverFactory, http, https].some((option) => option !== null)) {
      this.#main = this.#createServer()
    }
  }

  /** The main server, created on first access, because plugins add listeners before the app listens. */
  get server(): AnyServer {
    this.#main ??= this.#createServer()
    return this.#main.server
  }

  get laneCost(): string | null {
    return costOf(this.lane.reason)
  }

  /** All servers use the same lane. */
  get lane(): AppTransport {
    this.#main ??= this.#createServer()
    return this.#main.lane
  }

  /** The bound addresses, even if the application listens with the server itself. */
  get addresses(): Exclude<ReturnType<AnyServer['address']>, null>[] {
    const own = this.#main === null ? [] : [this.#main.server]
    const servers = this.#servers.length === 0 ? own : this.#servers
    return servers.map((server) => server.address()).filter((address) => address !== null)
  }

  get origin(): string {
    return originOf(this.addresses[0] ?? '', this.#host.options.https !== null)
  }

  #createServer(): Served {
    const server = createServer(this.#host.options, this.#given, this.handle)
    this.#unwatch.push(this.#connections.watch(server, this.#host.options.http2))
    const onClientError = (error: ClientError, socket: Socket): void => {
      const connection = this.#connections.open.get(socket)
      if (connection === undefined || socket.destroyed) void this.#refuseBytes(error, socket)
      else {
        Object.assign(error, { statusCode: statusOf(error) })
        connection.refuse(error, () => void this.#refuseBytes(error, socket))
      }
    }
    server.on('clientError', onClientError)
    this.#unwatch.push(() => server.off('clientError', onClientError))
    return { server, lane: attachWire(server, this.handle, this.#host, this.#asked) }
  }

  async #refuseBytes(error: ClientError, socket: Socket): Promise<void> {
    const host = this.#host
    const { options, root } = host
    if (options.clientErrorHandler === null) {
      sendClientError(error, socket, host)
      return
    }
    try {
      await options.clientErrorHandler.call(root.instance, error, socket)
    } catch (err) {
      // There is no request to respond to, and the process must not end.
      logSafely(host, () => host.logger.error({ err }, 'the clientErrorHandler failed'))
      socket.destroy()
    }
  }

  /** Handles a request of any server with Node's interface: a real one, one of a test, or one from user code. */
  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.#upgrades?.begin(request, response) === false) return
    if (request.headers.upgrade !== undefined && losesBytes(request)) response.shouldKeepAlive = false
    const { intake, phase } = this.#host
    const connection = this.#connections.open.get(request.socket)
    const exchange = new NodeExchange(request, response, connection !== undefined)
    // The socket of an HTTP/2 request is a proxy for its session, not a connection.
    if (connection === undefined && exchange.protocol.isMultiplexed) {
      exchange.watchStream()
      this.#connections.sessions.addRequest(request)
    }
    if (connection === undefined || connection.begin(response)) intake.receive(exchange, phase)
    else connection.wait(response, () => intake.receive(exchange, phase))
  }

  acceptUpgrades(protocols: ReadonlySet<string>, isOwn: (target: string) => boolean): void {
    const afterResponses = (socket: Socket, next: () => void): void => {
      const connection = this.#connections.open.get(socket)
      if (connection === undefined) next()
      else connection.afterResponses(next)
    }
    this.#upgrades = new Upgrades(this.handle, protocols, isOwn, afterResponses)
    this.#unwatch.push(this.#upgrades.watch(this.server))
  }

  takeUpgrade(request: object): NodeConnection | null {
    return this.#upgrades?.take(request) ?? null
  }

  /** A connection could not be accepted, usually because of missing file descriptors. The server continues. */
  readonly #onServerError = (err: Error): void =>
    logSafely(this.#host, () => this.#host.logger.error({ err }, 'the server failed'))

  async listen(target: ListenTarget): Promise<Listening> {
    const { serverFactory, https } = this.#host.options
    const missing = serverFactory === null ? missingForTls(this.server, https) : null
    if (missing !== null) warn('CERTIFICATE_MISSING', { missing })
    const { servers, address } = await bindAll(this.server, () => this.#createServer().server, target)
    this.#servers = servers
    for (const server of servers) {
      server.on('error', this.#onServerError)
      this.#unwatch.push(() => server.off('error', this.#onServerError))
    }
    return { origin: address, reachableAt: reachableAt(address) }
  }

  async stop(graceMs: number): Promise<void> {
    const host = this.#host
    const { options } = host
    const onCut = (count: number): void => {
      if (count === 0) return
      const line = `${count} connections are still open at the end of closeGraceMs and are cut`
      logSafely(host, () => host.logger.warn(line))
    }
    const drain = { force: options.forceCloseConnections, graceMs, onCut }
    // A server with which the application listens itself is closed by the application.
    await Promise.all(this.#servers.map((server) => closeServer(server, this.#connections, drain)))
    for (const unwatch of this.#unwatch.splice(0)) unwatch()
  }
}
