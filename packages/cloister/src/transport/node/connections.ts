import type { ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

import { isFunction } from '../../guards.ts'
import type { LogOwner } from '../../logging/request-log.ts'
import { Connection } from './connection.ts'
import type { AnyServer } from './create-server.ts'
import { logStall } from './progress.ts'
import { Sessions, type SessionDeadlines } from './sessions.ts'

const SWEEP_MS = 1000
/** A new connection may have its first request in transit; an older one does not. */
const SILENT_MS = 500

/** The connections and HTTP/2 sessions of an app's servers. */
export class Connections {
  /** by socket; requests without a socket have none */
  readonly open: Map<Socket, Connection> = new Map()
  readonly sessions: Sessions
  readonly #writeTimeout: number
  readonly #logs: LogOwner
  /** one timer for all connections while there are any */
  #sweep: NodeJS.Timeout | undefined
  readonly #onClose: (this: Socket) => void = this.#closeListener()

  constructor(deadlines: SessionDeadlines, logs: LogOwner) {
    this.#writeTimeout = deadlines.writeTimeout
    this.#logs = logs
    this.sessions = new Sessions(deadlines, logs)
  }

  /** one listener for all sockets, since each closure of its own would stay as long as its connection */
  #closeListener(): (this: Socket) => void {
    const { open } = this
    return function onClose() {
      const connection = open.get(this)
      open.delete(this)
      connection?.closed()
    }
  }

  /** @returns a function that ends the watch: a server of `serverFactory` may serve other apps when this one is closed */
  watch(server: AnyServer, isHttp2: boolean): () => void {
    const isCarrier = isHttp2 || 'setSecureContext' in server
    const listeners = [
      ['connection', (socket: Socket) => this.#add(socket, isCarrier)],
      ['secureConnection', (socket: TLSSocket) => this.#add(socket, socket.alpnProtocol === 'h2')],
      ['session', (session: ServerHttp2Session) => this.sessions.add(session)],
    ] as const
    for (const [name, listener] of listeners) server.on(name, listener)
    const watchers = keepResponsesWhole(server)
    watchers.add(this)
    return () => {
      for (const [name, listener] of listeners) server.off(name, listener)
      watchers.delete(this)
    }
  }

  #add(socket: Socket, isCarrier: boolean): void {
    // A socket comes again when a refused upgrade is left to the parser.
    if (this.open.has(socket)) return
    this.open.set(socket, new Connection(socket, isCarrier))
    socket.on('close', this.#onClose)
    // After a long turn the loop runs timers before it reads sockets: what has arrived by then is not late.
    this.#sweep ??= setInterval(() => setImmediate(() => this.#sweepAll()), SWEEP_MS).unref()
  }

  #sweepAll(): void {
    const now = performance.now()
    for (const connection of this.open.values()) {
      connection.release()
      if (connection.hasLingered(now)) connection.destroy()
      else if (this.#writeTimeout > 0 && connection.stalledFor(now) >= this.#writeTimeout) {
        logStall(this.#logs, this.#writeTimeout, connection.isBusy ? 'response' : 'body', 'connection')
        connection.destroy()
      }
    }
    this.sessions.sweep(now)
    if (this.open.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  endAfterResponses(): void {
    for (const connection of this.open.values()) connection.endAfterResponses()
  }

  /** Closes connections on which nothing has ever arrived. */
  closeSilent(): void {
    for (const connection of this.open.values()) {
      if (connection.isSilent(SILENT_MS)) connection.destroy()
    }
  }

  /** Closes connections with requests or with another protocol, and HTTP/2 sessions, by force. */
  destroyOpen(): void {
    this.sessions.destroy()
    for (const connection of this.open.values()) {
      if (!connection.isCarrier) connection.destroy()
    }
  }

  destroyAll(): void {
    this.sessions.destroy()
    for (const connection of this.open.values()) connection.destroy()
  }
}

const kWatchers = Symbol('watchers')

/**
 * Node treats a connection as idle as soon as a response has ended, although the client has not read it yet.
 *
 * @returns those whose connections are kept; a server has one such set, however many apps it serves
 */
function keepResponsesWhole(
  server: Partial<Pick<AnyServer, 'closeIdleConnections'>> & { [kWatchers]?: Set<Connections> },
): Set<Connections> {
  const existing = server[kWatchers]
  if (existing !== undefined) return existing
  const watchers = new Set<Connections>()
  Object.defineProperty(server, kWatchers, { value: watchers })
  const { closeIdleConnections } = server
  if (!isFunction(closeIdleConnections)) return watchers
  server.closeIdleConnections = () => {
    const open = [...watchers].flatMap((watcher) => [...watcher.open.values()])
    const unshield = open.filter((connection) => connection.isBusy).map((connection) => connection.shield())
    try {
      closeIdleConnections.call(server)
    } finally {
      for (const restore of unshield) restore()
    }
  }
  return watchers
}
