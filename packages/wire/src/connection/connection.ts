import type { Socket } from 'node:net'

import { Outbox } from '../response/outbox.ts'
import type { Engine } from './engine.ts'
import type { Exchange } from '../exchange.ts'
import { FAULTS, ParseError, type HandOverReason } from '../head/verdicts.ts'
import { Inbox } from './inbox.ts'
import { SocketEvents } from './socket-events.ts'
import { BODY, GONE, IDLE, LINGERING, NEW, RESPONSE, STALLED, UNREAD, type State } from './states.ts'

/**
 * One connection: handles one request after the other. Its states, and what it does in each of them, are the table of
 * `states.ts`.
 */
export class Connection {
  /** the engine of its server */
  readonly engine: Engine
  /** the socket; the application may use it once the connection is left to Node */
  readonly socket: Socket
  /** what comes in */
  readonly inbox: Inbox
  /** what goes out */
  readonly outbox: Outbox
  /** the bytes go over TLS */
  readonly isEncrypted: boolean
  /** its state, a row of `states.ts` */
  state: State = NEW
  /** when the clock of the state began, by the clock of the engine */
  since: number
  /** the request that is being handled */
  exchange: Exchange | null = null
  /** the output as `Deadlines` saw it last */
  progress = ''
  /** when it changed, by the clock of the engine */
  progressAt = 0
  /** the requests that came so far */
  requests = 0
  readonly #events: SocketEvents

  constructor(engine: Engine, socket: Socket) {
    this.engine = engine
    this.socket = socket
    this.isEncrypted = 'encrypted' in socket && socket.encrypted === true
    this.inbox = new Inbox(this)
    this.outbox = new Outbox(socket, this.isEncrypted ? null : engine.scratch)
    this.since = engine.now
    this.#events = new SocketEvents(this)
  }

  /** Changes the state; another clock begins now. */
  moveTo(state: State): void {
    if (state.clock !== this.state.clock) this.since = this.engine.now
    this.state = state
  }

  /** Reads no more for now. */
  pause(): void {
    this.socket.pause()
  }

  /** Reads on. */
  resume(): void {
    if (this.socket.isPaused()) this.socket.resume()
  }

  /** A request has come: it is handled from now on. */
  begin(exchange: Exchange): void {
    this.exchange = exchange
    this.requests++
    this.engine.requests++
    this.moveTo(exchange.isReceived ? RESPONSE : BODY)
  }

  /** The response has been written: ends the connection, or goes on with it. */
  done(exchange: Exchange): void {
    if (this.exchange !== exchange) return
    if (exchange.isLast) this.finish()
    else if (!exchange.isReceived) {
      exchange.body?.discard()
      if (!this.inbox.isRunning) this.outbox.flush()
    } else {
      exchange.leave()
      this.exchange = null
      this.moveTo(IDLE)
      if (!this.inbox.isRunning) this.inbox.next()
    }
  }

  /** The client has read. */
  drained(): void {
    if (this.state === STALLED) {
      this.moveTo(IDLE)
      this.inbox.next()
    } else this.exchange?.drained()
  }

  /** Leaves the connection to Node, whole and for good: the bytes behind the last request, and all to come. */
  handOver(bytes: Buffer, reason: HandOverReason): void {
    const since = this.state.clock === 'request' ? this.since : this.engine.now
    this.outbox.flush()
    this.#events.remove()
    this.moveTo(GONE)
    this.engine.handOver(this, bytes, since, reason)
  }

  /** Refuses what is left, after the responses that are due: never within one, and never behind the last. */
  refuse(error: Error): void {
    const { exchange } = this
    this.outbox.flush()
    this.inbox.clear()
    if (exchange?.ended === true) {
      this.moveTo(RESPONSE)
      this.finish()
      return
    }
    if (exchange?.headersSent === true) {
      exchange.isLast = true
      this.moveTo(RESPONSE)
      exchange.breakOff(error)
      return
    }
    this.exchange = null
    this.moveTo(LINGERING)
    exchange?.breakOff(error)
    exchange?.cut()
    this.engine.emitClientError(error, this.socket)
    this.resume()
  }

  /** Refuses a request whose client ended its side within it (RFC 9112 section 8). */
  refuseEndOfInput(): void {
    this.refuse(new ParseError(FAULTS.endOfInput))
  }

  /** Refuses a request that has not arrived in time. */
  timeOut(): void {
    this.refuse(new ParseError(FAULTS.timeout))
  }

  /** The client sends no more, and waits for nothing, or for a response that is not there yet. */
  endOutput(): void {
    this.outbox.flush()
    this.socket.end()
  }

  /**
   * The last response was written: the output ends, and what still comes is read (RFC 9112 section 9.6), since a client
   * that is cut off while it sends may never see its response.
   */
  finish(): void {
    const { exchange } = this
    this.outbox.flush()
    this.inbox.clear()
    this.exchange = null
    this.moveTo(this.state === BODY ? UNREAD : LINGERING)
    exchange?.leave()
    this.socket.end()
    this.resume()
  }

  /**
   * Ends the connection within a response: a reset cannot be taken for the end of the whole. Over TLS it would take
   * responses along that are whole, and all of this engine have a framing that shows the cut.
   */
  cut(): void {
    if (this.isEncrypted && this.socket.writableLength > 0) this.socket.destroySoon()
    else reset(this.socket)
  }

  /** The socket has closed. */
  closed(): void {
    if (this.state === GONE) return
    const { exchange } = this
    this.moveTo(GONE)
    this.engine.connections.delete(this)
    this.inbox.clear()
    this.exchange = null
    this.outbox.close()
    exchange?.cut()
  }
}

/**
 * Resets a connection of TCP. Over TLS an end without an alert says the same (RFC 8446 section 6.1); to reset the
 * connection below leaves a request of libuv open, with which a worker of Node never ends.
 */
export function reset(socket: Socket): void {
  if (socket.destroyed || socket.remoteAddress === undefined || 'encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}
