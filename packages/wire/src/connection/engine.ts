import type { Server } from 'node:http'
import { Socket } from 'node:net'

import { HeadComposer } from '../response/head-composer.ts'
import { Scratch } from '../response/outbox.ts'
import { Clock, statusLine } from '../response/head-lines.ts'
import type { BodyErrors } from '../body/collector.ts'
import { Connection } from './connection.ts'
import { Deadlines } from './deadlines.ts'
import { publisher } from './publisher.ts'
import { ReadBuffer } from './read-buffer.ts'
import { IDLE } from './states.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { LowerNames } from '../head/fields.ts'
import { HeadScanner } from '../head/head-scanner.ts'
import { ParseError, type HandOverReason } from '../head/verdicts.ts'
import { Observers } from '../lanes/observers.ts'
import { connectionEvent, type ConnectionListener } from '../lanes/why-not.ts'

/** The class of the exchanges; its constructor gets a scanned head. */
export type ExchangeClass = new (
  connection: Connection,
  bytes: Buffer,
  start: number,
  end: number,
) => Exchange

/** The parts of an engine, apart from its server. */
export interface EngineParts {
  readonly Exchange: ExchangeClass
  readonly handle: (exchange: Exchange) => void
  readonly errors: BodyErrors
  readonly checkingInterval: number
  readonly writeTimeout: number
  readonly onStall: (unread: 'response' | 'body') => void
  readonly onObserver: (reason: HandOverReason) => void
  readonly nodeListener: ConnectionListener
}

/** How many connections were handed over to Node, by reason; reasons that did not occur are absent. */
export type HandOvers = Readonly<Partial<Record<HandOverReason, number>>>

/** Counts of connections and requests. */
export interface LaneCounts {
  /** connections that the engine has now */
  readonly open: number
  /** requests that the engine has served so far */
  readonly requests: number
  /** connections handed over to Node so far, by reason */
  readonly handedOver: HandOvers
}

const DEFAULT_MOST_HEAD = 16_384

/** The engine of one server: its connections and what they share. */
export class Engine {
  readonly server: Server
  readonly connections: Set<Connection> = new Set()
  readonly scanner: HeadScanner
  readonly names: LowerNames = new LowerNames()
  readonly composer: HeadComposer = new HeadComposer()
  readonly clock: Clock = new Clock()
  readonly scratch: Scratch = new Scratch()
  readonly readBuffer: ReadBuffer = new ReadBuffer()
  readonly observers: Observers
  readonly Exchange: ExchangeClass
  readonly handle: (exchange: Exchange) => void
  /** handles an exchange while there are subscribers of the diagnostics channels of `node:http` */
  readonly publish: (exchange: Exchange) => void
  readonly errors: BodyErrors
  readonly maxHead: number
  /** the time of the last check of deadlines, in milliseconds; cheaper to read than a real clock */
  now = 0
  isClosing = false
  requests = 0
  readonly #nodeListener: ConnectionListener
  readonly #deadlines: Deadlines
  readonly #handedOver = new Map<HandOverReason, number>()

  constructor(server: Server, parts: EngineParts) {
    this.server = server
    this.scanner = new HeadScanner(() => server.listenerCount('upgrade') > 0)
    this.Exchange = parts.Exchange
    this.handle = parts.handle
    this.publish = publisher(this, parts.onObserver)
    this.errors = parts.errors
    this.maxHead = maxHeaderSizeOf(server)
    this.observers = new Observers(server)
    this.#nodeListener = parts.nodeListener
    this.#deadlines = new Deadlines(this, parts)
    const event = connectionEvent(server)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the listener of this very event
    server.off(event, parts.nodeListener as (...args: unknown[]) => void)
    server.on(event, this.#accept)
    server.on('listening', () => {
      this.isClosing = false
    })
    server.on('close', () => this.#deadlines.stop())
    this.#extendServer()
  }

  readonly #accept = (socket: Socket): void => {
    const reason = socket instanceof Socket ? this.observers.reason : 'no socket of node:net'
    if (reason !== null) {
      this.#count(reason)
      this.#nodeListener.call(this.server, socket)
      return
    }
    Reflect.set(socket, 'server', this.server)
    if (this.server.timeout > 0) socket.setTimeout(this.server.timeout)
    this.#deadlines.start()
    this.connections.add(new Connection(this, socket))
  }

  /** Extends methods of Node's server, which does not know the connections of this engine. */
  #extendServer(): void {
    const { server } = this
    const { close, closeIdleConnections, closeAllConnections } = server
    server.close = (callback) => {
      this.isClosing = true
      return close.call(server, callback)
    }
    server.closeIdleConnections = () => {
      for (const connection of this.connections) {
        if (connection.state === IDLE && connection.socket.writableLength === 0) connection.socket.destroy()
      }
      closeIdleConnections.call(server)
    }
    server.closeAllConnections = () => {
      for (const connection of this.connections) connection.socket.destroy()
      closeAllConnections.call(server)
    }
  }

  #count(reason: HandOverReason): void {
    this.#handedOver.set(reason, (this.#handedOver.get(reason) ?? 0) + 1)
  }

  /**
   * Hands a connection over to Node, with the bytes that have arrived and were not served.
   *
   * @param since - when the head began that these bytes are part of
   */
  handOver(connection: Connection, bytes: Buffer, since: number, reason: HandOverReason): void {
    const { socket } = connection
    this.connections.delete(connection)
    this.#count(reason)
    this.#deadlines.watchHead(socket, since)
    this.#nodeListener.call(this.server, socket)
    if (bytes.length > 0) socket.emit('data', bytes)
    if (socket.isPaused() && !socket.destroyed) socket.resume()
  }

  /** Emits `clientError` for bytes that are not a request; without a listener, responds and closes the connection. */
  emitClientError(error: Error & { readonly code?: string }, socket: Socket): void {
    if (this.server.emit('clientError', error, socket)) return
    if (socket.writable && error.code !== 'ECONNRESET') {
      socket.write(
        `${statusLine(error instanceof ParseError ? error.statusCode : 400)}Connection: close\r\n\r\n`,
      )
    }
    socket.destroy()
  }

  get observer(): HandOverReason | null {
    return this.observers.reason
  }

  get counts(): LaneCounts {
    const handedOver: HandOvers = Object.fromEntries(this.#handedOver)
    return { open: this.connections.size, requests: this.requests, handedOver }
  }
}

function maxHeaderSizeOf(server: Server): number {
  const size: unknown = Reflect.get(server, 'maxHeaderSize')
  return typeof size === 'number' && size > 0 ? size : DEFAULT_MOST_HEAD
}
