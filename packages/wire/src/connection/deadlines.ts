import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { Engine, EngineParts } from '../engine.ts'
import type { Connection } from './connection.ts'
import type { DeadlineName } from './states.ts'

/** How often connections are looked at, at most; Node's `connectionsCheckingInterval` may make it more often. */
const SWEEP_MS = 250
/** Time beside `keepAliveTimeout`, so that the client is the first to know that the connection ends. */
const KEEP_ALIVE_BUFFER_MS = 1000
/** Time for the client to read the last response and to close its side (RFC 9112 section 9.6). */
const LINGER_MS = 2000

/** Returns a deadline in milliseconds; 0 for none. */
const DEADLINES: Readonly<Record<DeadlineName, (server: Server) => number>> = {
  headersTimeout: ({ headersTimeout, requestTimeout }) => shorter(headersTimeout, requestTimeout),
  requestTimeout: ({ requestTimeout }) => requestTimeout,
  keepAliveTimeout: ({ keepAliveTimeout }) =>
    keepAliveTimeout > 0 ? keepAliveTimeout + KEEP_ALIVE_BUFFER_MS : 0,
  linger: () => LINGER_MS,
}

/** Ends a connection at its deadline. */
const EXPIRE: Readonly<Record<DeadlineName, (connection: Connection) => void>> = {
  headersTimeout: (connection) => connection.timeOut(),
  requestTimeout: (connection) => connection.timeOut(),
  keepAliveTimeout: (connection) => connection.socket.destroy(),
  linger: (connection) => connection.socket.destroy(),
}

function shorter(first: number, second: number): number {
  return first === 0 || second === 0 ? Math.max(first, second) : Math.min(first, second)
}

/** Changes whenever the client reads; empty when nothing waits for it. */
function progressOf(socket: Socket): string {
  if (socket.writableLength === 0) return ''
  const handle: unknown = Reflect.get(socket, '_handle')
  // A single large write is read in many pieces.
  const queued: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0
  return `${socket.bytesWritten} ${socket.writableLength} ${String(queued)}`
}

/** The deadlines of all connections of a server: one timer, as long as there are any. */
export class Deadlines {
  readonly #engine: Engine
  readonly #intervalMs: number
  readonly #writeTimeout: number
  readonly #onStall: () => void
  #timer: NodeJS.Timeout | null = null

  constructor(engine: Engine, { checkingInterval, writeTimeout, onStall }: EngineParts) {
    this.#engine = engine
    this.#writeTimeout = writeTimeout
    this.#onStall = onStall
    this.#intervalMs = Math.min(SWEEP_MS, checkingInterval > 0 ? checkingInterval : SWEEP_MS)
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#sweep(), this.#intervalMs).unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  #sweep(): void {
    const engine = this.#engine
    engine.tick++
    if (engine.connections.size === 0) {
      this.stop()
      return
    }
    for (const connection of engine.connections) {
      if (this.#writeTimeout > 0) this.#lookForStall(connection)
      const { deadline } = connection.state
      if (deadline === null) continue
      const limit = DEADLINES[deadline](engine.server)
      if (limit > 0 && this.#age(connection.since) >= limit) EXPIRE[deadline](connection)
    }
  }

  #age(since: number): number {
    return (this.#engine.tick - since) * this.#intervalMs
  }

  /** Closes a connection whose client has read nothing for too long. */
  #lookForStall(connection: Connection): void {
    const seen = progressOf(connection.socket)
    if (seen === '' || seen !== connection.progress) {
      connection.progress = seen
      connection.progressAt = this.#engine.tick
    } else if (this.#age(connection.progressAt) >= this.#writeTimeout) {
      this.#onStall()
      connection.socket.destroy()
    }
  }
}
