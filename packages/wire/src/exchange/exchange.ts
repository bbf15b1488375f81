import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

import { sendInterim, sendWhole, type Content } from './respond.ts'
import { ResponseSink } from './response-sink.ts'
import { WireWriter } from './wire-writer.ts'
import { BegunError, type ContentWriter, type Trailers } from '../message/content-writer.ts'
import type { ResponseHeaders } from '../message/field.ts'
import { OVER, prematureClose, SENT, WAITING, WRITING, type Turn } from '../message/turn.ts'
import { RawPair } from './raw-pair.ts'
import { reset } from '../raw/cut.ts'
import { tell } from '../response/outbox.ts'
import { ReceivedRequest } from './received-request.ts'

/** Gets the outcome of an exchange: `null` when the response is complete, or the reason why it never will be. */
export type Finished = (error: Error | null) => void

/** A stream that content is written to. */
export interface ContentSink extends NodeJS.WritableStream, EventEmitter {
  /** Sets the trailers (RFC 9112 section 7.1.2) before the response ends; it must have been opened with trailers. */
  addTrailers(fields: Trailers): void
}

/**
 * One request and its response. The response is sent with `send` or `open`, or through Node's objects, which `raw`
 * creates on demand. A row of `message/turn.ts` says what is allowed at a time.
 */
export class Exchange extends ReceivedRequest {
  /** the status of a response that has begun or is sent, or 0 */
  begunStatus = 0
  /** Node's objects, once they have been created */
  pair: RawPair | null = null
  // Each request has an exchange, and fields with `#` would cost it one more call.
  private current: Turn = WAITING
  /** the writer of the content that may begin; until it has, another one can replace it */
  private writer: WireWriter | null = null
  private finished: Finished[] | null = null
  private timeouts: (() => void)[] | null = null

  /**
   * What the exchange may do now. When the application writes to Node's response, that response decides; it may also
   * end its response after the client has gone.
   */
  override get turn(): Turn {
    const turn = this.current
    if (this.pair === null) return turn
    if (turn === WAITING) return this.pair.turn
    return turn.isGone && this.pair.turn.isComplete ? turn.next.completed : turn
  }

  /** The genuine objects of Node's HTTP for this exchange, created on first access. */
  get raw(): RawPair {
    this.pair ??= new RawPair(this)
    return this.pair
  }

  /** Whether the application has accessed Node's objects. */
  get hasRaw(): boolean {
    return this.pair !== null
  }

  /** Whether the application reads the body through Node's objects. */
  get isReadRaw(): boolean {
    return this.pair?.readsBody === true
  }

  /** The socket. Reading this writes all waiting output first. */
  get socket(): Socket {
    this.connection.outbox.flush()
    return this.connection.socket
  }

  /** Whether nothing more can be written. */
  get ended(): boolean {
    return this.turn.isOver
  }

  /** Whether the engine has written the end of the response; when Node's code writes it, an event reports the end. */
  get isComplete(): boolean {
    return this.current === SENT
  }

  override sendContinue(): void {
    if (!this.isWaitingToContinue) return
    super.sendContinue()
    if (!this.leavesBody) this.pair?.continued()
  }

  /**
   * Whether the body may never be sent (RFC 9110 section 10.1.1), so that the connection ends. The rest of a body
   * that is being sent is always read: proxies that learn that the connection ends stop forwarding it, and some then
   * cut off their client.
   */
  get leavesBody(): boolean {
    return this.isWaitingToContinue && !this.isReceived
  }

  /**
   * Writes the whole response. The engine decides the framing, whatever the headers say.
   *
   * @param lines - lines of further headers, already checked, each with its end; empty if `hasRaw`
   * @returns what the headers wrongly say about the framing; `null` if nothing
   * @throws FieldError, StatusError when the head is invalid; nothing has been written then
   * @throws Error with the code `WIRE_RESPONSE_SENT` when the response has begun
   */
  send(status: number, headers: ResponseHeaders, content: Content | null, lines = ''): string | null {
    const { pair } = this
    const isWaiting = this.current === WAITING
    try {
      if (pair !== null && isWaiting && pair.isLive) return pair.send(status, headers, content)
      if ((pair !== null || !isWaiting) && !this.mayBegin()) return null
      pair?.withdraw()
      return sendWhole(this, status, headers, content, lines)
    } catch (cause) {
      throw this.explain(headers, cause)
    }
  }

  /**
   * Prepares a response whose content is written piece by piece, with back-pressure. The head is sent with the first
   * piece; until then another response can replace this one.
   *
   * @param hasTrailers - trailers may follow
   * @returns a writer, which writes nothing if the response is over
   * @throws FieldError, StatusError when the head is invalid; nothing has been written then
   * @throws Error with the code `WIRE_RESPONSE_SENT` when the content of another writer has begun
   */
  open(status: number, headers: ResponseHeaders, hasTrailers = false): ContentWriter {
    // The application has Node's response, and may write to it at any time.
    const { pair } = this
    try {
      if (pair !== null && pair.hasResponse && this.current === WAITING)
        return pair.open(status, headers, hasTrailers)
      if (this.turn === WRITING) throw responseSent()
      return (this.writer = new WireWriter(this, status, headers, hasTrailers))
    } catch (cause) {
      throw this.explain(headers, cause)
    }
  }

  /**
   * Returns what is thrown for a head that could not be written; a subclass can replace the error.
   *
   * @param cause - FieldError, StatusError, or an error of Node's code
   * @returns the same error, by default
   */
  protected explain(_headers: Readonly<ResponseHeaders>, cause: unknown): unknown {
    return cause
  }

  /** Does the same as `open`, for sources that pipe. */
  openSink(status: number, headers: ResponseHeaders, hasTrailers = false): ContentSink {
    const { writableHighWaterMark } = this.connection.socket
    if (!this.mayBegin()) throw responseSent()
    return new ResponseSink(this.open(status, headers, hasTrailers), writableHighWaterMark)
  }

  private mayBegin(): boolean {
    const { turn } = this
    if (turn.mayBegin) return true
    if (this.current.isGone) return false
    throw responseSent()
  }

  /**
   * Whether this writer is the one that may write.
   *
   * @throws BegunError when the application has begun the response on Node's response
   */
  mayWrite(writer: WireWriter): boolean {
    const { turn } = this
    if (this.writer !== writer || turn.isOver || !this.connection.socket.writable) return false
    if (this.current === WAITING && turn.hasBegun) throw new BegunError()
    return true
  }

  /** Called before the head of a content is written. */
  begin(status: number): void {
    this.current = this.current.next.begun
    this.begunStatus = status
    this.pair?.showBegun(status)
  }

  /**
   * Writes an interim response (RFC 9110 section 15.2), if the final one has not begun.
   *
   * @throws FieldError when a header is invalid; nothing has been written then
   */
  inform(status: 103, headers: Readonly<ResponseHeaders>, written?: () => void): void {
    try {
      sendInterim(this, status, headers)
    } catch (cause) {
      throw this.explain(headers, cause)
    }
    if (written !== undefined) this.connection.outbox.whenTaken(written)
  }

  /** Called when the response is complete, and its bytes are on their way. */
  complete(): void {
    const { socket, exchange, outbox } = this.connection
    // The client is gone: the exchange is cut when the socket closes, or was cut already.
    if (exchange !== this || !socket.writable) return
    this.pair?.showSent(this.begunStatus)
    this.current = this.current.next.completed
    const finished = this.finished
    this.finished = null
    if (finished !== null) outbox.whenTaken((error) => tell(finished, error))
    this.connection.done(this)
  }

  /** Ends the connection with this response, and says so in its head. */
  endConnection(): void {
    if (!this.turn.mayBegin) return
    this.isLast = true
    this.pair?.endConnection()
  }

  /**
   * Ends the connection without a complete response. What has been written is still sent: a missing last chunk, or a
   * length that is not reached, shows the cut.
   */
  abort(): void {
    const { turn, connection } = this
    if (!turn.mayCut) return
    // Node's code may write a content that only the end of the connection ends.
    if (turn.hasBegun && this.current === WAITING && this.pair?.isDelimited === false)
      reset(connection.socket)
    else {
      connection.finish()
      this.cut()
    }
  }

  /** Calls back once when the exchange is over, and never inside `send`. */
  onFinished(callback: Finished): void {
    const { turn } = this
    if (this.current.isGone) process.nextTick(callback, prematureClose())
    else if (turn === OVER && this.connection.socket.destroyed) process.nextTick(callback, null)
    else if (turn === SENT || turn === OVER) this.connection.outbox.whenTaken(callback)
    else (this.finished ??= []).push(callback)
  }

  /** Calls back when the connection times out while the exchange is open. */
  onTimeout(callback: () => void): void {
    ;(this.timeouts ??= []).push(callback)
  }

  /** Called when the connection has timed out. @returns true when the application handles it */
  timedOut(): boolean {
    const callbacks = this.timeouts
    this.timeouts = null
    for (const callback of callbacks ?? []) callback()
    return this.pair?.timedOut() === true
  }

  /** Passes the error of a body that is malformed or late to its reader. */
  breakOff(error: Error): void {
    this.body?.fail(error)
    this.pair?.breakOff(error)
  }

  /** Called when the client has read what was sent. */
  drained(): void {
    this.writer?.drained()
    this.pair?.drained()
  }

  /** Called when the connection continues with the next request. */
  leave(): void {
    this.current = this.current.next.left
  }

  /** Called when the connection has ended or broken, in an asynchronous context of its own. */
  cut(): void {
    const scope = this.pair === null ? null : this.pair.scope
    if (scope === null) this.end()
    else scope.runInAsyncScope(this.end, this)
  }

  private end(): void {
    // Node's response knows whether it has begun, when the application writes to it.
    this.current = this.turn.next.gone
    this.pair?.cut()
    this.body?.fail(prematureClose())
    const finished = this.finished
    this.finished = null
    for (const callback of finished ?? []) callback(prematureClose())
  }
}

function responseSent(): Error {
  return Object.assign(new Error('The response of this exchange has begun'), { code: 'WIRE_RESPONSE_SENT' })
}
