import { AsyncResource } from 'node:async_hooks'
import type { Socket } from 'node:net'

import { Outbox } from '../answer/outbox.ts'
import type { BodyFlow } from '../body/request-body.ts'
import type { Engine } from '../engine.ts'
import type { Exchange } from '../exchange.ts'
import { LF } from '../head/octets.ts'
import { FAULTS, INCOMPLETE, MALFORMED, ParseError } from '../head/verdicts.ts'
import { BODY, GONE, HEAD, IDLE, LINGERING, NEW, RESPONSE, STALLED } from './states.ts'
import type { State } from './states.ts'
import { SocketEvents } from './socket-events.ts'

/** The bytes that were left go elsewhere. */
const STOP = -1
/** From so many bytes behind a request that is being handled on nothing more is read. */
const MOST_STORED = 16_384
/** A client that goes on sending after the last response is cut off. */
const MOST_DROPPED = 16_777_216

/**
 * One connection: takes one request after the other out of its bytes, and handles one at a time. Its states, and what
 * it does in each of them, are the table of `states.ts`.
 */
export class Connection implements BodyFlow {
  readonly engine: Engine
  readonly socket: Socket
  readonly outbox: Outbox
  readonly isEncrypted: boolean
  state: State = NEW
  /** the tick of the engine at which the deadline of the state began */
  since: number
  /** the request that is being handled */
  exchange: Exchange | null = null
  /** what `Deadlines` saw of the output last, and when it changed */
  progress = ''
  progressAt = 0
  /** the requests that came so far */
  requests = 0
  readonly #events: SocketEvents
  /** bytes behind the request that is being handled, or the part of a head */
  #rest: Buffer | null = null
  #isRunning = false
  #willFlush = false
  #dropped = 0
  /** requests that follow another one in the same bytes run in the asynchronous context of the connection */
  #context: AsyncResource | null = null

  constructor(engine: Engine, socket: Socket) {
    this.engine = engine
    this.socket = socket
    this.isEncrypted = 'encrypted' in socket && socket.encrypted === true
    this.outbox = new Outbox(socket, this.isEncrypted ? null : engine.scratch)
    this.since = engine.tick
    this.#events = new SocketEvents(this)
  }

  moveTo(state: State): void {
    this.state = state
    this.since = this.engine.tick
  }

  /** Responses wait for others of their batch. */
  get isBatching(): boolean {
    return this.#isRunning || this.#rest !== null
  }

  pause(): void {
    this.socket.pause()
  }

  resume(): void {
    if (this.socket.isPaused()) this.socket.resume()
  }

  /** Bytes between two requests. */
  scan(bytes: Buffer): void {
    this.#run(bytes)
  }

  /** More bytes of a head: it ends with a line feed, so without a new one there is nothing to look at again. */
  append(bytes: Buffer): void {
    const whole = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
    this.#rest = null
    if (bytes.includes(LF) || whole.length > this.engine.maxHead) this.#run(whole)
    else this.#rest = whole
  }

  /** Bytes behind a request that is being handled. */
  store(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#context ??= new AsyncResource('CLOISTERWIRECONNECTION')
    this.#rest = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes])
    if (this.#rest.length >= MOST_STORED) this.pause()
  }

  /** Bytes of the body of the request that is being handled, and what comes behind it. */
  continueBody(bytes: Buffer): void {
    const { exchange } = this
    if (exchange === null) return
    // The application may respond while it reads: the next request waits until what is left has been stored.
    this.#isRunning = true
    const at = this.#feed(exchange, bytes, 0)
    this.#isRunning = false
    if (at === STOP) return
    this.store(at === 0 ? bytes : bytes.subarray(at))
    if (this.state === IDLE) this.#next()
    else if (exchange.isEnded && exchange.isReceived) this.done(exchange)
    else this.#flushSoon()
  }

  /** Bytes behind the last response. */
  drop(bytes: Buffer): void {
    this.#dropped += bytes.length
    if (this.#dropped > MOST_DROPPED) this.socket.destroy()
  }

  #run(bytes: Buffer): void {
    this.#isRunning = true
    let at = 0
    try {
      while (at !== STOP && at < bytes.length) at = this.#takeRequest(bytes, at)
    } finally {
      this.#isRunning = false
    }
    if (this.#rest !== null && this.state === RESPONSE) this.#flushSoon()
    else this.outbox.flush()
  }

  /** @returns the index behind the request, or `STOP` */
  #takeRequest(bytes: Buffer, start: number): number {
    const { engine } = this
    if (this.outbox.isFull) this.outbox.flush()
    if (this.socket.writableNeedDrain) return this.#stall(bytes, start)
    if (engine.observers.arePresent) return this.#handOver(bytes, start)
    const most = start + engine.maxHead
    const verdict = engine.scanner.scan(bytes, start, Math.min(bytes.length, most))
    if (verdict > 0 && !engine.leavesScannedToNode) return this.#serve(bytes, start, verdict)
    if (verdict === INCOMPLETE && bytes.length < most) return this.#keepHead(bytes, start)
    if (verdict === MALFORMED) return this.#refuse(new ParseError(engine.scanner.fault, bytes))
    return this.#handOver(bytes, start)
  }

  #serve(bytes: Buffer, start: number, headEnd: number): number {
    const { engine } = this
    const exchange = engine.createExchange(this, bytes, start, headEnd)
    this.exchange = exchange
    this.requests++
    engine.requests++
    this.moveTo(exchange.isReceived ? RESPONSE : BODY)
    const at = exchange.isReceived ? headEnd : this.#feed(exchange, bytes, headEnd)
    if (at === STOP) return STOP
    if (at < bytes.length) this.#context ??= new AsyncResource('CLOISTERWIRECONNECTION')
    if (start === 0 || this.#context === null) engine.handle(exchange)
    else this.#context.runInAsyncScope(engine.handle, undefined, exchange)
    if (this.state === IDLE) return at
    if (this.exchange !== null && at < bytes.length) this.#rest = at === 0 ? bytes : bytes.subarray(at)
    return STOP
  }

  /** @returns the index behind what belongs to the body, or `STOP` where the bytes are no body */
  #feed(exchange: Exchange, bytes: Buffer, start: number): number {
    const { body } = exchange
    if (body === null) return start
    let at = start
    try {
      at = body.feed(bytes, start, bytes.length)
    } catch (error) {
      return this.#refuse(error instanceof Error ? error : new ParseError(FAULTS.chunkSize, bytes))
    }
    if (this.state === BODY) {
      if (body.isComplete) this.moveTo(RESPONSE)
      else if (exchange.isEnded && body.isTooMuchToDiscard) return this.#finish()
    } else if (this.state !== IDLE) return STOP
    return at
  }

  /** The response has been written: ends the connection, or goes on with it. */
  done(exchange: Exchange): void {
    if (this.exchange !== exchange) return
    if (exchange.isLast) this.#finish()
    else if (!exchange.isReceived) {
      exchange.body?.discard()
      if (!this.#isRunning) this.outbox.flush()
    } else {
      this.exchange = null
      this.moveTo(IDLE)
      if (!this.#isRunning) this.#next()
    }
  }

  #next(): void {
    const rest = this.#rest
    if (rest === null) {
      this.outbox.flush()
      this.resume()
      return
    }
    this.#rest = null
    this.resume()
    if (this.#context === null) this.#run(rest)
    else this.#context.runInAsyncScope(this.#run, this, rest)
  }

  #flushSoon(): void {
    if (this.#willFlush) return
    this.#willFlush = true
    process.nextTick(() => {
      this.#willFlush = false
      if (this.state !== GONE) this.outbox.flush()
    })
  }

  #keepHead(bytes: Buffer, start: number): number {
    if (this.state !== HEAD) this.moveTo(HEAD)
    // A copy, so that a part of a head does not keep all that came with it.
    this.#rest = start === 0 ? bytes : Buffer.from(bytes.subarray(start))
    return STOP
  }

  #stall(bytes: Buffer, start: number): number {
    this.#rest = start === 0 ? bytes : bytes.subarray(start)
    this.moveTo(STALLED)
    this.pause()
    return STOP
  }

  /** The client has read. */
  drained(): void {
    if (this.state === STALLED) {
      this.moveTo(IDLE)
      this.#next()
    } else this.exchange?.drained()
  }

  /** Leaves the connection to Node, whole and for good: the bytes behind the last request, and all to come. */
  #handOver(bytes: Buffer, start: number): number {
    this.outbox.flush()
    this.#events.remove()
    this.moveTo(GONE)
    this.engine.handOver(this, start === 0 ? bytes : bytes.subarray(start))
    return STOP
  }

  /** Refuses what is left, after the responses that are due: never within one, and never behind the last. */
  #refuse(error: Error): number {
    const { exchange } = this
    this.outbox.flush()
    this.#rest = null
    if (exchange?.isEnded === true) return this.#finish()
    if (exchange?.headersSent === true) {
      exchange.isLast = true
      this.moveTo(RESPONSE)
      exchange.breakOff(error)
      return STOP
    }
    this.exchange = null
    this.moveTo(LINGERING)
    exchange?.breakOff(error)
    exchange?.cut()
    this.engine.emitClientError(error, this.socket)
    this.resume()
    return STOP
  }

  refuseEndOfInput(): void {
    this.#refuse(new ParseError(FAULTS.endOfInput))
  }

  timeOut(): void {
    this.#refuse(new ParseError(FAULTS.timeout))
  }

  /** The client sends no more, and waits for nothing, or for a response that is not there yet. */
  endOutput(): void {
    this.outbox.flush()
    this.socket.end()
  }

  /** The last response was written: the output ends, and what still comes is read for a while (RFC 9112 section 9.6). */
  #finish(): number {
    this.outbox.flush()
    this.#rest = null
    this.exchange = null
    this.moveTo(LINGERING)
    this.socket.end()
    this.resume()
    return STOP
  }

  /** The socket has closed. */
  closed(): void {
    if (this.state === GONE) return
    const { exchange } = this
    this.moveTo(GONE)
    this.engine.connections.delete(this)
    this.#rest = null
    this.exchange = null
    this.outbox.close()
    exchange?.cut()
  }
}
