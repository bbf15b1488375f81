import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

import type { ResponseHeaders } from './response/head-composer.ts'
import { openStreamed, sendInterim, sendWhole } from './response/respond.ts'
import type { Content, StreamedResponse } from './response/respond.ts'
import { prematureClose } from './closed.ts'
import type { Connection } from './connection/connection.ts'
import { RawPair } from './raw/raw-pair.ts'
import { ReceivedRequest } from './received-request.ts'

/** The outcome of an exchange: `null` when the response is complete, else why it never will be. */
export type Finished = (error: Error | null) => void

/** Where the content of a response is written, piece by piece. */
export interface ContentSink extends NodeJS.WritableStream, EventEmitter {
  /** Sets the trailers of a chunked response (RFC 9112 section 7.1.2), before it ends. */
  addTrailers(fields: Readonly<Record<string, string>>): void
}

/**
 * One request and its response. The response goes out through `send` or `openSink`, or through the objects of Node,
 * which `raw` makes on demand.
 */
export class Exchange extends ReceivedRequest {
  /** the connection ends with this response */
  isLast: boolean
  /** the status line has been written, or waits with its batch */
  isBegun = false
  /** the response has been given as a whole */
  isEnded = false
  /** the connection ended before the response was complete */
  isAborted = false
  /** the response that is written piece by piece */
  streamed: StreamedResponse | null = null
  /** Node's objects, once they have been made */
  protected pair: RawPair | null = null
  #finished: Finished[] | null = null
  #aborted: (() => void)[] | null = null
  #timedOut: (() => void)[] | null = null

  constructor(connection: Connection, bytes: Buffer, start: number, end: number) {
    super(connection, bytes, start, end)
    this.isLast = this.saysClose
  }

  /** The genuine objects of Node's HTTP for this exchange; made when they are first read. */
  get raw(): RawPair {
    this.pair ??= new RawPair(this)
    return this.pair
  }

  /** The application has asked for Node's objects. */
  get hasRaw(): boolean {
    return this.pair !== null
  }

  /** The application reads the body through Node's objects. */
  get isReadRaw(): boolean {
    return this.pair?.readsBody === true
  }

  /** The socket; what waits to be written has been written. */
  get socket(): Socket {
    this.connection.outbox.flush()
    return this.connection.socket
  }

  /** The status line has been written. */
  get headersSent(): boolean {
    return this.isBegun || this.pair?.hasBegun === true
  }

  /** Nothing more can be written. */
  get ended(): boolean {
    return this.isEnded || this.isAborted || this.pair?.hasEnded === true
  }

  /** The client has gone before the response was complete. */
  get aborted(): boolean {
    return this.isAborted || (!this.isEnded && this.connection.socket.destroyed)
  }

  /**
   * Writes the whole response; the length of the content is added.
   *
   * @throws FieldError when a header cannot be written; nothing has been written then
   */
  send(status: number, headers: ResponseHeaders, content: Content | null): void {
    if (this.isEnded) return
    if (this.pair !== null && this.pair.isLive) this.pair.send(status, headers, content)
    else sendWhole(this, this.pair, status, headers, content)
  }

  /**
   * Begins a response whose content is written piece by piece, with back-pressure. The head goes out with the first
   * piece.
   *
   * @throws FieldError when a header cannot be written; nothing has been written then
   */
  openSink(status: number, headers: ResponseHeaders): ContentSink {
    if (this.pair !== null && this.pair.isLive) return this.pair.openSink(status, headers)
    return openStreamed(this, this.pair, status, headers)
  }

  /**
   * Writes an interim response (RFC 9110 section 15.2) before the final one.
   *
   * @throws FieldError when a header cannot be written; nothing has been written then
   */
  inform(status: number, headers: ResponseHeaders, written?: () => void): void {
    sendInterim(this, status, headers)
    if (written !== undefined) this.connection.outbox.whenTaken(written)
  }

  /** The response has been given as a whole, and its bytes are on their way. */
  complete(): void {
    this.isBegun = true
    this.isEnded = true
    const { socket, exchange } = this.connection
    // Nothing of it is on its way: the exchange is cut when the socket closes, or has been.
    if (exchange !== this || !socket.writable) return
    const finished = this.#finished
    this.#finished = null
    if (finished !== null) {
      this.connection.outbox.whenTaken((error) => {
        for (const one of finished) one(error)
      })
    }
    this.connection.done(this)
  }

  /** Ends the connection with this response, which says so. */
  endConnection(): void {
    this.isLast = true
    this.pair?.endConnection()
  }

  /** Ends the connection without a (complete) response. */
  abort(): void {
    this.connection.socket.destroy()
  }

  /** Calls back once when the exchange is over, and never inside `send`. */
  onFinished(callback: Finished): void {
    if (this.isAborted) process.nextTick(callback, prematureClose())
    else if (this.isEnded) this.connection.outbox.whenTaken(callback)
    else (this.#finished ??= []).push(callback)
  }

  /** Calls back when the client goes away before the response is complete. */
  onAbort(callback: () => void): void {
    if (this.isAborted) process.nextTick(callback)
    else (this.#aborted ??= []).push(callback)
  }

  /** Calls back when the connection times out while the exchange is open. */
  onTimeout(callback: () => void): void {
    ;(this.#timedOut ??= []).push(callback)
  }

  /** The connection has timed out. @returns true when the application handles that */
  timedOut(): boolean {
    const callbacks = this.#timedOut
    this.#timedOut = null
    for (const callback of callbacks ?? []) callback()
    return this.pair?.timedOut() === true
  }

  /** The body is malformed, or has not arrived in time: who reads it gets the error. */
  breakOff(error: Error): void {
    this.body?.fail(error)
    this.pair?.breakOff(error)
  }

  /** The client has read what it was sent. */
  drained(): void {
    this.streamed?.drained()
    this.pair?.drained()
  }

  /** The connection ended, or broke, before the response was complete. */
  cut(): void {
    this.isAborted = true
    this.pair?.cut()
    this.body?.fail(prematureClose())
    const aborted = this.#aborted
    const finished = this.#finished
    this.#aborted = null
    this.#finished = null
    for (const callback of aborted ?? []) callback()
    for (const callback of finished ?? []) callback(prematureClose())
    this.streamed?.cut()
  }
}
