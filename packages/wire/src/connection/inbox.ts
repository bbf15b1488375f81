import { AsyncResource } from 'node:async_hooks'

import type { Exchange } from '../exchange.ts'
import { LF } from '../head/octets.ts'
import { FAULTS, INCOMPLETE, MALFORMED, ParseError, type HandOverReason } from '../head/verdicts.ts'
import type { Connection } from './connection.ts'
import { BODY, HEAD, IDLE, RESPONSE, STALLED } from './states.ts'

/** The bytes that were left go elsewhere. */
const STOP = -1
/** From so many bytes behind a request that is being handled on nothing more is read. */
const MOST_STORED = 16_384

/**
 * Cuts what comes in over one connection into requests, which are handled one at a time, and keeps what cannot be
 * handled yet. The bytes that it gets are valid only as long as one of its methods runs.
 */
export class Inbox {
  readonly #connection: Connection
  /** bytes behind the request that is being handled, or the part of a head; they are kept by this connection alone */
  #rest: Buffer | null = null
  #isRunning = false
  #willFlush = false
  /** requests that follow another one in the same bytes run in the asynchronous context of the connection */
  #context: AsyncResource | null = null

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Requests are being taken out of bytes that have come. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** More requests may follow at once. */
  get isBatching(): boolean {
    return this.#isRunning || this.#rest !== null
  }

  /** Bytes between two requests. */
  scan(bytes: Buffer, end: number): void {
    this.#isRunning = true
    let at = 0
    try {
      while (at !== STOP && at < end) at = this.#takeRequest(bytes, at, end)
    } finally {
      this.#isRunning = false
    }
    const connection = this.#connection
    if (this.#rest !== null && connection.state === RESPONSE) this.#flushSoon()
    else connection.outbox.flush()
  }

  /** More bytes of a head: it ends with a line feed, so without a new one there is nothing to look at again. */
  append(bytes: Buffer, end: number): void {
    const whole = this.#join(bytes, 0, end)
    this.#rest = null
    const hasLine = whole.indexOf(LF, whole.length - end) !== -1
    if (hasLine || whole.length > this.#connection.engine.maxHead) this.scan(whole, whole.length)
    else this.#rest = whole
  }

  /** Bytes behind a request that is being handled. */
  store(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    this.#context ??= new AsyncResource('CLOISTERWIRECONNECTION')
    this.#rest = this.#join(bytes, start, end)
    if (this.#rest.length >= MOST_STORED) this.#connection.pause()
  }

  /** Bytes of the body of the request that is being handled, and what comes behind it. */
  continueBody(bytes: Buffer, end: number): void {
    const connection = this.#connection
    const { exchange } = connection
    if (exchange === null) return
    // The application may respond while it reads: the next request waits until what is left has been stored.
    this.#isRunning = true
    let at = STOP
    try {
      at = this.#feed(exchange, bytes, 0, end)
    } finally {
      this.#isRunning = false
      exchange.body?.ownKept()
    }
    if (at === STOP) return
    this.store(bytes, at, end)
    if (connection.state === IDLE) this.next()
    else if (exchange.isComplete && exchange.isReceived) connection.done(exchange)
    else this.#flushSoon()
  }

  /** Goes on with what was kept, or with what comes. */
  next(): void {
    const connection = this.#connection
    const rest = this.#rest
    if (rest === null) {
      connection.outbox.flush()
      connection.resume()
      return
    }
    this.#rest = null
    connection.resume()
    if (this.#context === null) this.scan(rest, rest.length)
    else this.#context.runInAsyncScope(this.scan, this, rest, rest.length)
  }

  /** Forgets what was kept. */
  clear(): void {
    this.#rest = null
  }

  #join(bytes: Buffer, start: number, end: number): Buffer {
    const rest = this.#rest
    if (rest === null) return this.#own(bytes, start, end)
    return Buffer.concat([rest, bytes.subarray(start, end)])
  }

  #own(bytes: Buffer, start: number, end: number): Buffer {
    return this.#connection.engine.readBuffer.own(bytes, start, end)
  }

  /** @returns the index behind the request, or `STOP` */
  #takeRequest(bytes: Buffer, start: number, end: number): number {
    const connection = this.#connection
    const { engine, outbox } = connection
    if (outbox.isFull) outbox.flush()
    if (connection.socket.writableNeedDrain) return this.#stall(bytes, start, end)
    const { reason } = engine.observers
    if (reason !== null) return this.#handOver(bytes, start, end, reason)
    const most = start + engine.maxHead
    const verdict = engine.scanner.scan(bytes, start, Math.min(end, most))
    if (verdict > 0 && !engine.leavesScannedToNode) return this.#serve(bytes, start, verdict, end)
    if (verdict === INCOMPLETE && end < most) return this.#keepHead(bytes, start, end)
    if (verdict === MALFORMED) {
      const packet = Buffer.from(bytes.subarray(0, end))
      return this.#refuse(new ParseError(engine.scanner.fault, packet))
    }
    return this.#handOver(bytes, start, end, engine.whyLeft(verdict))
  }

  #serve(bytes: Buffer, start: number, headEnd: number, end: number): number {
    const connection = this.#connection
    const { engine } = connection
    const exchange = engine.createExchange(connection, bytes, start, headEnd)
    connection.begin(exchange)
    const at = exchange.isReceived ? headEnd : this.#feed(exchange, bytes, headEnd, end)
    if (at === STOP) return STOP
    if (at < end) this.#context ??= new AsyncResource('CLOISTERWIRECONNECTION')
    try {
      if (start === 0 || this.#context === null) engine.handle(exchange)
      else this.#context.runInAsyncScope(engine.handle, undefined, exchange)
    } finally {
      // The bytes are about to be those of another connection, whatever the handler has thrown.
      exchange.body?.ownKept()
    }
    if (connection.state === IDLE) return at
    if (connection.exchange !== null && at < end) this.#rest = this.#own(bytes, at, end)
    return STOP
  }

  /** @returns the index behind what belongs to the body, or `STOP` where the bytes are no body */
  #feed(exchange: Exchange, bytes: Buffer, start: number, end: number): number {
    const connection = this.#connection
    const { body } = exchange
    if (body === null) return start
    let at = start
    try {
      at = body.feed(bytes, start, end)
    } catch (error) {
      return this.#refuse(error instanceof Error ? error : new ParseError(FAULTS.chunkSize))
    }
    if (connection.state === BODY) {
      if (body.isComplete) connection.moveTo(RESPONSE)
    } else if (connection.state !== IDLE) return STOP
    return at
  }

  #flushSoon(): void {
    if (this.#willFlush) return
    this.#willFlush = true
    process.nextTick(() => {
      this.#willFlush = false
      this.#connection.outbox.flush()
    })
  }

  #keepHead(bytes: Buffer, start: number, end: number): number {
    const connection = this.#connection
    if (connection.state !== HEAD) connection.moveTo(HEAD)
    // A copy, so that a part of a head does not keep all that came with it.
    this.#rest = start === 0 ? this.#own(bytes, 0, end) : Buffer.from(bytes.subarray(start, end))
    return STOP
  }

  #stall(bytes: Buffer, start: number, end: number): number {
    this.#rest = this.#own(bytes, start, end)
    this.#connection.moveTo(STALLED)
    this.#connection.pause()
    return STOP
  }

  #handOver(bytes: Buffer, start: number, end: number, reason: HandOverReason): number {
    this.#connection.handOver(this.#own(bytes, start, end), reason)
    return STOP
  }

  #refuse(error: Error): number {
    this.#connection.refuse(error)
    return STOP
  }
}
