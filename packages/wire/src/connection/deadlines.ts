import type { Server } from 'node:http'
import type { Socket } from 'node:net'

import type { Engine, EngineParts } from './engine.ts'
import { FAULTS, ParseError } from '../head/verdicts.ts'
import { reset } from '../raw/cut.ts'
import type { Connection } from './connection.ts'
import { BODY, type DeadlineName } from './states.ts'

/** How often connections are checked, unless Node's `connectionsCheckingInterval` is shorter. */
const SWEEP_MS = 250
/** Time added to `keepAliveTimeout`, so that the client closes the connection before the server does. */
const KEEP_ALIVE_BUFFER_MS = 1000
/** Time for the client to close its side, after the system has taken the last response. */
const LINGER_MS = 2000
/** Time for a request to arrive whose response is already sent, if `requestTimeout` is 0. */
const UNREAD_MS = 300_000

interface DeadlineRow {
  /** its duration in milliseconds; 0 for none */
  readonly limit: (server: Server) => number
  /** whether it begins when the system has taken all output; until then, only `writeTimeout` limits a slow client */
  readonly waitsForOutput: boolean
  readonly expire: (connection: Connection) => void
}

const timeOut = (connection: Connection): void => connection.giveUp(new ParseError(FAULTS.timeout))
const destroy = ({ socket }: Connection): void => void socket.destroy()

/**
 * The deadlines of connections.
 *
 * | deadline           | begins with                                     | ends with                    |
 * |--------------------|-------------------------------------------------|------------------------------|
 * | `headersTimeout`   | the connection, or the first byte of a request  | the end of its head          |
 * | `requestTimeout`   | the same                                        | the end of its body          |
 * | `unread`           | the same, if the response was sent before       | the end of the connection    |
 * | `keepAliveTimeout` | the response taken by the system                | the first byte of a request  |
 * | `linger`           | the last response taken by the system           | the end of the connection    |
 * | `writeTimeout`     | each byte that the system takes                 | nothing left to take         |
 */
const DEADLINES: Readonly<Record<DeadlineName, DeadlineRow>> = {
  headersTimeout: {
    limit: ({ headersTimeout, requestTimeout }) => shorter(headersTimeout, requestTimeout),
    waitsForOutput: false,
    expire: timeOut,
  },
  requestTimeout: { limit: ({ requestTimeout }) => requestTimeout, waitsForOutput: false, expire: timeOut },
  unread: {
    limit: ({ requestTimeout }) => (requestTimeout > 0 ? requestTimeout : UNREAD_MS),
    waitsForOutput: false,
    expire: destroy,
  },
  keepAliveTimeout: {
    limit: ({ keepAliveTimeout }) => (keepAliveTimeout > 0 ? keepAliveTimeout + KEEP_ALIVE_BUFFER_MS : 0),
    waitsForOutput: true,
    expire: destroy,
  },
  linger: { limit: () => LINGER_MS, waitsForOutput: true, expire: destroy },
}

function shorter(first: number, second: number): number {
  return first === 0 || second === 0 ? Math.max(first, second) : Math.min(first, second)
}

/**
 * Returns a text that changes whenever the system takes output, and never because more is written; empty when no
 * output waits. A single large write is taken in many pieces.
 */
export function progressOf(socket: Socket): string {
  const { writableLength } = socket
  if (writableLength === 0) return ''
  const handle: unknown = Reflect.get(socket, '_handle')
  const queued: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : 0
  return `${socket.bytesWritten - writableLength} ${String(queued)}`
}

/**
 * The same for a body whose response is sent: empty unless its reader takes nothing. Such a body holds back the next
 * request, for which its client may wait.
 */
function heldBody({ state, exchange, socket }: Connection): string {
  const isHeld = state === BODY && exchange?.ended === true && socket.isPaused()
  return isHeld ? `body ${socket.bytesRead}` : ''
}

/** A head that was incomplete when its connection was handed over to Node. */
interface HandedHead {
  /** when the head, or the connection, began */
  readonly since: number
  readonly written: number
}

/** Node's parser has a request from the end of its head to the end of its body, and then its response is written. */
function isIncomplete(socket: Socket, { written }: HandedHead): boolean {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (socket.destroyed || typeof parser !== 'object' || parser === null) return false
  const hasRequest = Reflect.get(parser, 'incoming') != null || Reflect.get(socket, '_httpMessage') != null
  return !hasRequest && socket.bytesWritten === written
}

/** Checks the deadlines of all connections of a server, with one timer that runs while there are any. */
export class Deadlines {
  readonly #engine: Engine
  readonly #intervalMs: number
  readonly #writeTimeout: number
  readonly #onStall: EngineParts['onStall']
  /** Node would restart the `headersTimeout` of these heads; they keep the original deadline. */
  readonly #handedHeads = new Map<Socket, HandedHead>()
  #timer: NodeJS.Timeout | null = null

  constructor(engine: Engine, { checkingInterval, writeTimeout, onStall }: EngineParts) {
    this.#engine = engine
    this.#writeTimeout = writeTimeout
    this.#onStall = onStall
    this.#intervalMs = Math.min(SWEEP_MS, checkingInterval > 0 ? checkingInterval : SWEEP_MS)
  }

  start(): void {
    if (this.#timer !== null) return
    this.#engine.now = performance.now()
    // After a long turn the loop runs timers before it reads sockets: what has arrived by then is not late.
    this.#timer = setInterval(() => setImmediate(() => this.#sweep()), this.#intervalMs).unref()
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }

  /** Watches a head that Node's parser continues to read. */
  watchHead(socket: Socket, since: number): void {
    this.#handedHeads.set(socket, { since, written: socket.bytesWritten })
  }

  #sweep(): void {
    const engine = this.#engine
    engine.now = performance.now()
    if (engine.connections.size === 0 && this.#handedHeads.size === 0) {
      this.stop()
      return
    }
    for (const [socket, head] of this.#handedHeads) this.#lookAtHead(socket, head)
    for (const connection of engine.connections) {
      if (this.#writeTimeout > 0) this.#lookForStall(connection)
      const { deadline } = connection.state
      if (deadline !== null) this.#look(connection, DEADLINES[deadline])
    }
  }

  /** Forgets a head that is complete or late. */
  #lookAtHead(socket: Socket, head: HandedHead): void {
    const isWaiting = isIncomplete(socket, head)
    if (isWaiting && !this.#isLate(head.since, DEADLINES.headersTimeout)) return
    this.#handedHeads.delete(socket)
    if (isWaiting) this.#engine.emitClientError(new ParseError(FAULTS.timeout), socket)
  }

  #look(connection: Connection, row: DeadlineRow): void {
    const { engine, socket, since } = connection
    if (row.waitsForOutput && socket.writableLength > 0) connection.since = engine.now
    else if (this.#isLate(since, row)) row.expire(connection)
  }

  #isLate(since: number, { limit }: DeadlineRow): boolean {
    const time = limit(this.#engine.server)
    return time > 0 && this.#age(since) >= time
  }

  /** The engine's clock is late by up to one interval; subtracting it means that no deadline is early. */
  #age(since: number): number {
    return this.#engine.now - since - this.#intervalMs
  }

  /** Closes a connection whose client, or whose reader of a body after its response, has read nothing for `writeTimeout`. */
  #lookForStall(connection: Connection): void {
    const written = progressOf(connection.socket)
    const seen = written === '' ? heldBody(connection) : written
    if (seen === '' || seen !== connection.progress) {
      connection.progress = seen
      connection.progressAt = this.#engine.now
    } else if (this.#age(connection.progressAt) >= this.#writeTimeout) {
      this.#onStall(written === '' ? 'body' : 'response')
      reset(connection.socket)
    }
  }
}
