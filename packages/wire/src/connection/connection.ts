import type { Socket } from 'node:net'

import { Outbox } from '../response/outbox.ts'
import type { Engine } from './engine.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Peer } from '../exchange/received-request.ts'
import type { HandOverReason } from '../head/verdicts.ts'
import { Inbox } from './inbox.ts'
import { listenTo, stopListening } from './socket-events.ts'
import { BODY, GONE, IDLE, LINGERING, NEW, RESPONSE, STALLED, UNREAD, type State } from './states.ts'

/**
 * One connection, which handles one request after another. `states.ts` has the table of its states and of what it
 * does in each.
 */
export class Connection {
  readonly engine: Engine
  /** the socket; the application may use it after the connection was handed over to Node */
  readonly socket: Socket
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly isEncrypted: boolean
  state: State = NEW
  /** when the clock of the state began, by the clock of the engine */
  since: number
  exchange: Exchange | null = null
  /** the output progress that `Deadlines` saw last */
  progress = ''
  /** when `progress` changed, by the clock of the engine */
  progressAt = 0
  requests = 0
  #peer: Peer | null = null

  constructor(engine: Engine, socket: Socket) {
    this.engine = engine
    this.socket = socket
    this.isEncrypted = 'encrypted' in socket && socket.encrypted === true
    this.inbox = new Inbox(this)
    this.outbox = new Outbox(socket, this.isEncrypted ? null : engine.scratch)
    this.since = engine.now
    listenTo(this)
  }

  /** The other end, read once, because a socket takes long to tell it. */
  get peer(): Peer {
    const { socket, isEncrypted } = this
    return (this.#peer ??= { address: socket.remoteAddress, port: socket.remotePort, isEncrypted })
  }

  /** Changes the state, and restarts the clock if the new state has another one. */
  moveTo(state: State): void {
    if (state.clock !== this.state.clock) this.since = this.engine.now
    this.state = state
  }

  resume(): void {
    if (this.socket.isPaused()) this.socket.resume()
  }

  /** Called when the response has been written: ends the connection, or continues with it. */
  done(exchange: Exchange): void {
    if (this.exchange !== exchange) return
    const { body } = exchange
    // Of a body that was refused, nothing more comes.
    const isReading = this.state === BODY && exchange.isReadRaw
    if (exchange.isLast && !isReading) this.finish()
    else if (body !== null && !body.isComplete) {
      // A stream that has just got a listener begins to read in the next tick.
      if (!isReading) body.discard()
      if (exchange.isLast) this.endOutput()
      else if (!this.inbox.isRunning) this.outbox.flush()
    } else {
      exchange.leave()
      this.exchange = null
      this.moveTo(IDLE)
      if (!this.inbox.isRunning) this.inbox.next()
    }
  }

  drained(): void {
    if (this.state === STALLED) {
      this.moveTo(IDLE)
      this.inbox.next()
    } else this.exchange?.drained()
  }

  /** Hands the connection over to Node, whole and for good: the bytes after the last request, and all that follow. */
  handOver(bytes: Buffer, reason: HandOverReason): void {
    const since = this.state.clock === 'request' ? this.since : this.engine.now
    this.outbox.flush()
    stopListening(this)
    this.moveTo(GONE)
    this.engine.handOver(this, bytes, since, reason)
  }

  /** Refuses the remaining input, after the responses that are due; never within one, and never after the last. */
  refuse(error: Error): void {
    const { exchange } = this
    this.outbox.flush()
    this.inbox.clear()
    // Node's code may have the end of a response, but not have written it: then its event ends the exchange.
    if (exchange?.isComplete === true) {
      exchange.breakOff(error)
      this.moveTo(RESPONSE)
      this.finish()
      return
    }
    if (exchange?.turn.hasBegun === true) {
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

  /**
   * Ends the exchange of a request that never will be complete, because its connection or its time has ended: with a
   * refusal, or within its response.
   */
  giveUp(error: Error): void {
    const { exchange } = this
    this.refuse(error)
    if (this.exchange === exchange) exchange?.abort()
  }

  /** Ends the output: the client sends no more, and expects no further response or only one that is still due. */
  endOutput(): void {
    this.outbox.flush()
    this.socket.end()
  }

  /**
   * Ends the output after the last response. Input is still read (RFC 9112 section 9.6), since a client that is cut
   * off while it sends may never see its response.
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

  closed(): void {
    const { exchange } = this
    this.moveTo(GONE)
    this.engine.connections.delete(this)
    this.inbox.clear()
    this.exchange = null
    this.outbox.close()
    exchange?.cut()
  }
}
