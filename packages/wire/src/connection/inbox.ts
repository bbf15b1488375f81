import { AsyncResource } from 'node:async_hooks'

import type { RequestBody } from '../body/request-body.ts'
import { EXPECTS_CONTINUE } from '../head/field-rules.ts'
import { LF } from '../head/octets.ts'
import { FAULTS, INCOMPLETE, ParseError, UNUSUAL, type HandOverReason } from '../head/verdicts.ts'
import { created, finished, started } from '../raw/channels.ts'
import type { Connection } from './connection.ts'
import { BODY, HEAD, IDLE, RESPONSE, STALLED } from './states.ts'

/** Returned instead of an index when the remaining bytes are already stored or handed on. */
const STOP = -1
/** How much text may wait before it is written in the middle of a batch. */
const MAX_WAITING = 65_536
/** Reading pauses when this many bytes are stored after the request that is being handled. */
const MAX_STORED = 16_384

function createContext(): AsyncResource {
  return new AsyncResource('CLOISTERWIRECONNECTION')
}

/**
 * Splits the input of one connection into requests, which are handled one at a time, and stores what cannot be
 * handled yet. The bytes it gets are valid only while one of its methods runs.
 */
export class Inbox {
  readonly #connection: Connection
  /** bytes after the request that is being handled, or part of a head; in memory that no other connection uses */
  rest: Buffer | null = null
  /** whether it takes requests out of bytes that have arrived */
  isRunning = false
  #willFlush = false
  /**
   * the asynchronous context of the connection, for requests that do not begin in the event of a read; `null` until
   * there is one. An encrypted socket also emits its reads from within the request that has resumed it.
   */
  #context: AsyncResource | null = null

  constructor(connection: Connection) {
    this.#connection = connection
    if (connection.isEncrypted) this.#context = createContext()
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
    if (this.rest !== null && connection.state === RESPONSE) this.#flushSoon()
    else if (connection.outbox.text !== '') connection.outbox.flush()
  }

  /** Adds bytes to a head. A head ends with a line feed, so without a new one it needs no new scan. */
  append(bytes: Buffer, end: number): void {
    const whole = this.#join(bytes, 0, end)
    this.rest = null
    const hasLine = whole.indexOf(LF, whole.length - end) !== -1
    if (hasLine || whole.length > this.#connection.engine.maxHead) this.scan(whole, whole.length)
    else this.rest = whole
  }

  /** Stores bytes that arrive while a request is being handled. */
  store(bytes: Buffer, end: number, start = 0): void {
    if (start === end) return
    this.#context ??= createContext()
    this.rest = this.#join(bytes, start, end)
    if (this.rest.length >= MAX_STORED) this.#connection.socket.pause()
  }

  /** Takes bytes of the body of the current request, and what follows it. */
  continueBody(bytes: Buffer, end: number): void {
    const connection = this.#connection
    const { exchange } = connection
    if (exchange === null || exchange.body === null) return
    const { body } = exchange
    // The application may respond while it reads: the next request waits until the remaining bytes are stored.
    this.isRunning = true
    let at = STOP
    try {
      at = this.#feed(body, bytes, 0, end)
    } finally {
      this.isRunning = false
      body.kept.own()
    }
    if (at === STOP) return
    this.store(bytes, end, at)
    if (connection.state === IDLE) this.next()
    else if (exchange.isComplete && body.isComplete) connection.done(exchange)
    else this.#flushSoon()
  }

  /** Continues with the stored bytes, or with the next ones to arrive. */
  next(): void {
    const connection = this.#connection
    const rest = this.rest
    this.rest = null
    connection.resume()
    if (rest === null) {
      if (connection.outbox.text !== '') connection.outbox.flush()
    } else if (this.#context === null) this.scan(rest, rest.length)
    else this.#context.runInAsyncScope(this.scan, this, rest, rest.length)
  }

  clear(): void {
    this.rest = null
  }

  /** Drops bytes that arrive after the last request. */
  ignore(): void {}

  #join(bytes: Buffer, start: number, end: number): Buffer {
    const rest = this.rest
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
    const { scanner } = engine
    if (outbox.text.length > MAX_WAITING) outbox.flush()
    if (connection.socket.writableNeedDrain) return this.#stall(bytes, start, end)
    const { reason } = engine.observers
    if (reason !== null) return this.#handOver(bytes, start, end, reason)
    const most = start + engine.maxHead
    const verdict = scanner.scan(bytes, start, Math.min(end, most))
    if (verdict > 0) {
      const asksFirst = (scanner.flags & EXPECTS_CONTINUE) !== 0 && engine.observers.takeContinue
      if (asksFirst) return this.#handOver(bytes, start, end, 'a listener of checkContinue')
      return this.#serve(bytes, start, verdict, end)
    }
    if (verdict === INCOMPLETE) {
      if (end < most) return this.#keepHead(bytes, start, end)
      return this.#handOver(bytes, start, end, 'size of the head')
    }
    if (verdict === UNUSUAL) return this.#handOver(bytes, start, end, scanner.unusual)
    const packet = Buffer.from(bytes.subarray(0, end))
    return this.#refuse(new ParseError(scanner.fault, packet))
  }

  #serve(bytes: Buffer, start: number, headEnd: number, end: number): number {
    const connection = this.#connection
    const { engine } = connection
    const exchange = new engine.Exchange(connection, bytes, start, headEnd)
    const { body } = exchange
    connection.exchange = exchange
    connection.requests++
    engine.requests++
    connection.moveTo(body === null ? RESPONSE : BODY)
    const at = body === null ? headEnd : this.#feed(body, bytes, headEnd, end)
    if (at === STOP) return STOP
    if (at < end) this.#context ??= createContext()
    try {
      const context = start === 0 && !connection.isEncrypted ? null : this.#context
      const isSubscribed = started.hasSubscribers || finished.hasSubscribers || created.hasSubscribers
      const handle = isSubscribed ? engine.publish : engine.handle
      if (context === null) handle(exchange)
      else context.runInAsyncScope(handle, undefined, exchange)
    } finally {
      // The buffer is about to get the bytes of another connection, even if the handler has thrown.
      if (body !== null && !body.isTaken) body.kept.own()
    }
    if (connection.state === IDLE) return at
    if (connection.exchange !== null && at < end) this.rest = this.#own(bytes, at, end)
    return STOP
  }

  /** @returns the index after the last byte of the body, or `STOP` when the bytes are invalid */
  #feed(body: RequestBody, bytes: Buffer, start: number, end: number): number {
    const connection = this.#connection
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
    this.rest = start === 0 ? this.#own(bytes, 0, end) : Buffer.from(bytes.subarray(start, end))
    return STOP
  }

  #stall(bytes: Buffer, start: number, end: number): number {
    this.#context ??= createContext()
    this.rest = this.#own(bytes, start, end)
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
