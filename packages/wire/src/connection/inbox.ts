import { AsyncResource } from 'node:async_hooks'

import type { Exchange } from '../exchange/exchange.ts'
import { LF } from '../head/octets.ts'
import { FAULTS, INCOMPLETE, ParseError, UNUSUAL, type HandOverReason } from '../head/verdicts.ts'
import type { Connection } from './connection.ts'
import { BODY, HEAD, IDLE, RESPONSE, STALLED } from './states.ts'

/** Returned instead of an index when the remaining bytes are already stored or handed on. */
const STOP = -1
/** Reading pauses when this many bytes are stored after the request that is being handled. */
const MOST_STORED = 16_384

/**
 * Splits the input of one connection into requests, which are handled one at a time, and stores what cannot be
 * handled yet. The bytes it gets are valid only while one of its methods runs.
 */
export class Inbox {
  readonly #connection: Connection
  /** bytes after the request that is being handled, or part of a head; in memory that no other connection uses */
  #rest: Buffer | null = null
  /** whether it is taking requests out of bytes that have arrived */
  isRunning = false
  #willFlush = false
  /** pipelined requests that arrive in the same bytes run in the asynchronous context of the connection */
  #context: AsyncResource | null = null

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get isBatching(): boolean {
    return this.isRunning || this.#rest !== null
  }

  /** Takes requests out of bytes that arrive between two requests. */
  scan(bytes: Buffer, end: number): void {
    this.isRunning = true
    let at = 0
    try {
      while (at !== STOP && at < end) at = this.#takeRequest(bytes, at, end)
    } finally {
      this.isRunning = false
    }
    const connection = this.#connection
    if (this.#rest !== null && connection.state === RESPONSE) this.#flushSoon()
    else connection.outbox.flush()
  }

  /** Adds bytes to a head. A head ends with a line feed, so without a new one it needs no new scan. */
  append(bytes: Buffer, end: number): void {
    const whole = this.#join(bytes, 0, end)
    this.#rest = null
    const hasLine = whole.indexOf(LF, whole.length - end) !== -1
    if (hasLine || whole.length > this.#connection.engine.maxHead) this.scan(whole, whole.length)
    else this.#rest = whole
  }

  /** Stores bytes that arrive while a request is being handled. */
  store(bytes: Buffer, start: number, end: number): void {
    if (start === end) return
    this.#context ??= new AsyncResource('CLOISTERWIRECONNECTION')
    this.#rest = this.#join(bytes, start, end)
    if (this.#rest.length >= MOST_STORED) this.#connection.socket.pause()
  }

  /** Takes bytes of the body of the current request, and what follows it. */
  continueBody(bytes: Buffer, end: number): void {
    const connection = this.#connection
    const { exchange } = connection
    if (exchange === null) return
    // The application may respond while it reads: the next request waits until the remaining bytes are stored.
    this.isRunning = true
    let at = STOP
    try {
      at = this.#feed(exchange, bytes, 0, end)
    } finally {
      this.isRunning = false
      exchange.body?.kept.own()
    }
    if (at === STOP) return
    this.store(bytes, at, end)
    if (connection.state === IDLE) this.next()
    else if (exchange.isComplete && exchange.isReceived) connection.done(exchange)
    else this.#flushSoon()
  }

  /** Continues with the stored bytes, or with the next ones to arrive. */
  next(): void {
    const connection = this.#connection
    const rest = this.#rest
    this.#rest = null
    connection.resume()
    if (rest === null) connection.outbox.flush()
    else if (this.#context === null) this.scan(rest, rest.length)
    else this.#context.runInAsyncScope(this.scan, this, rest, rest.length)
  }

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

  /** @returns the index after the request, or `STOP` */
  #takeRequest(bytes: Buffer, start: number, end: number): number {
    const connection = this.#connection
    const { engine, outbox } = connection
    if (outbox.isFull) outbox.flush()
    if (connection.socket.writableNeedDrain) return this.#stall(bytes, start, end)
    const { reason } = engine.observers
    if (reason !== null) return this.#handOver(bytes, start, end, reason)
    const verdict = engine.scan(bytes, start, end)
    if (verdict > 0) return this.#serve(bytes, start, verdict, end)
    if (verdict === INCOMPLETE) return this.#keepHead(bytes, start, end)
    if (verdict === UNUSUAL) return this.#handOver(bytes, start, end, engine.scanner.unusual)
    const packet = Buffer.from(bytes.subarray(0, end))
    return this.#refuse(new ParseError(engine.scanner.fault, packet))
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
      // The buffer is about to get the bytes of another connection, even if the handler has thrown.
      exchange.body?.kept.own()
    }
    if (connection.state === IDLE) return at
    if (connection.exchange !== null && at < end) this.#rest = this.#own(bytes, at, end)
    return STOP
  }

  /** @returns the index after the last byte of the body, or `STOP` when the bytes are invalid */
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
    // A copy, so that part of a head does not keep the whole buffer in memory.
    this.#rest = start === 0 ? this.#own(bytes, 0, end) : Buffer.from(bytes.subarray(start, end))
    return STOP
  }

  #stall(bytes: Buffer, start: number, end: number): number {
    this.#rest = this.#own(bytes, start, end)
    this.#connection.moveTo(STALLED)
    this.#connection.socket.pause()
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
