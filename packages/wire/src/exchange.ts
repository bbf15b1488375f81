import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

import type { SetFields } from './response/head-composer.ts'
import { openContent, sendInterim, sendWhole, type Content } from './response/respond.ts'
import { ResponseSink } from './response/response-sink.ts'
import type { WireWriter } from './response/wire-writer.ts'
import { BegunError, type ContentWriter, type Trailers } from './message/content-writer.ts'
import type { ResponseHeaders } from './message/field.ts'
import { CUT, LOST, OVER, prematureClose, SENT, WAITING, WRITING, type Turn } from './message/turn.ts'
import { RawPair } from './raw/raw-pair.ts'
import { ReceivedRequest, type Connection } from './received-request.ts'

/** The outcome of an exchange: `null` when the response is complete, else why it never will be. */
export type Finished = (error: Error | null) => void

/** A stream that content is written to. */
export interface ContentSink extends NodeJS.WritableStream, EventEmitter {
  /** Sets the trailers of a response that was opened with them (RFC 9112 section 7.1.2), before it ends. */
  addTrailers(fields: Trailers): void
}

/**
 * One request and its response. The response goes out through `send` or `open`, or through the objects of Node, which
 * `raw` makes on demand. What may be done at a time is a row of `message/turn.ts`.
 */
export class Exchange extends ReceivedRequest {
  /** the connection ends with this response */
  isLast: boolean
  /** Node's objects, once they have been made */
  protected pair: RawPair | null = null
  #turn: Turn = WAITING
  /** the status of a response that has begun, or is out as a whole */
  #status = 0
  /** the writer of the content that may begin; another one takes its place as long as it has not */
  #writer: WireWriter | null = null
  #finished: Finished[] | null = null
  #timedOut: (() => void)[] | null = null

  constructor(connection: Connection, bytes: Buffer, start: number, end: number) {
    super(connection, bytes, start, end)
    this.isLast = this.saysClose
  }

  /** What it may do now. Where the application writes on Node's response, that decides. */
  override get turn(): Turn {
    return this.#turn === WAITING && this.pair !== null ? this.pair.turn : this.#turn
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

  /** The head of the response has been written. */
  get headersSent(): boolean {
    return this.turn.hasBegun
  }

  /** Nothing more can be written. */
  get ended(): boolean {
    return this.turn.isOver
  }

  /** Whether the engine writes the end of the response; where the code of Node does, an event says it later. */
  get isComplete(): boolean {
    return this.#turn === SENT
  }

  /** The client has gone before the response was complete. */
  get aborted(): boolean {
    const { turn } = this
    return turn === LOST || turn === CUT || (!turn.isOver && this.connection.socket.destroyed)
  }

  /**
   * The body may never be sent (RFC 9110 section 10.1.1): the connection ends. The rest of a body that is being sent is
   * read to its end: proxies that learn of the end of the connection stop to forward it, and some then cut their client.
   */
  get leavesBody(): boolean {
    return !this.isReceived && this.isWaitingToContinue
  }

  /**
   * Writes the whole response. Its framing is decided here, whatever the headers say.
   *
   * @returns what the headers say about the framing that is not so; `null` where nothing is
   * @throws FieldError, StatusError when the head cannot be written; nothing has been written then
   * @throws Error with the code `WIRE_RESPONSE_SENT` when the response has begun
   */
  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    if (this.pair !== null && this.#turn === WAITING && this.pair.isLive)
      return this.pair.send(status, headers, content)
    if (!this.#mayBegin) return null
    const contradiction = sendWhole(this, this.pair, status, headers, content)
    this.#status = status
    return contradiction
  }

  /**
   * Prepares a response whose content is written piece by piece, with back-pressure. The head goes out with the first
   * piece; until then another response can take the place of this one.
   *
   * @param hasTrailers - trailers may follow
   * @returns a writer that writes nothing, when the response is over
   * @throws FieldError, StatusError when the head cannot be written; nothing has been written then
   * @throws Error with the code `WIRE_RESPONSE_SENT` when the content of another writer has begun
   */
  open(status: number, headers: ResponseHeaders, hasTrailers = false): ContentWriter {
    // The application has Node's response, and may write on it at any time.
    const { pair } = this
    if (pair !== null && pair.hasResponse && this.#turn === WAITING)
      return pair.open(status, headers, hasTrailers)
    if (this.turn === WRITING) throw responseSent()
    return (this.#writer = openContent(this, status, headers, hasTrailers))
  }

  /** The same as `open`, for sources that pipe. */
  openSink(status: number, headers: ResponseHeaders, hasTrailers = false): ContentSink {
    const { writableHighWaterMark } = this.connection.socket
    if (!this.#mayBegin) throw responseSent()
    return new ResponseSink(this.open(status, headers, hasTrailers), writableHighWaterMark)
  }

  get #mayBegin(): boolean {
    const { turn } = this
    if (turn.mayBegin) return true
    if (turn === LOST || turn === CUT) return false
    throw responseSent()
  }

  /**
   * Whether a writer is the one that may write.
   *
   * @throws BegunError when the application has begun the response on that of Node
   */
  mayWrite(writer: WireWriter): boolean {
    const { turn } = this
    if (this.#writer !== writer || turn.isOver || !this.connection.socket.writable) return false
    if (this.#turn === WAITING && turn.hasBegun) throw new BegunError()
    return true
  }

  /** Node's response, once it was made: its headers go out with the head of a content. */
  get setFields(): SetFields | null {
    return this.pair === null ? null : this.pair.setFields
  }

  /** The status of a response whose head is out, or 0. */
  get begunStatus(): number {
    return this.#status
  }

  /** The head of a content is being written. */
  begin(status: number): void {
    this.#turn = WRITING
    this.#status = status
    this.pair?.showBegun(status)
  }

  /**
   * Writes an interim response (RFC 9110 section 15.2), as long as the final one has not begun.
   *
   * @throws FieldError when a header cannot be written; nothing has been written then
   */
  inform(status: 103, headers: Readonly<ResponseHeaders>, written?: () => void): void {
    sendInterim(this, status, headers)
    if (written !== undefined) this.connection.outbox.whenTaken(written)
  }

  /** The response has been given as a whole, and its bytes are on their way. */
  complete(): void {
    const { socket, exchange, outbox } = this.connection
    // Nothing of it is on its way: the exchange is cut when the socket closes, or has been.
    if (exchange !== this || !socket.writable) return
    if (this.#turn === WRITING) this.pair?.showSent(this.#status)
    this.#turn = SENT
    const finished = this.#finished
    this.#finished = null
    if (finished !== null) {
      outbox.whenTaken((error) => {
        for (const one of finished) one(error)
      })
    }
    this.connection.done(this)
  }

  /** Ends the connection with this response, which says so. */
  endConnection(): void {
    if (!this.turn.mayBegin) return
    this.isLast = true
    this.pair?.endConnection()
  }

  /** Ends the connection without a (complete) response; responses before it go out whole. */
  abort(): void {
    const { turn, connection } = this
    if (!turn.mayCut) return
    if (turn.hasBegun) connection.cut()
    else {
      connection.finish()
      this.cut()
    }
  }

  /** Calls back once when the exchange is over, and never inside `send`. */
  onFinished(callback: Finished): void {
    const { turn } = this
    if (turn === LOST || turn === CUT) process.nextTick(callback, prematureClose())
    else if (turn === OVER && this.connection.socket.destroyed) process.nextTick(callback, null)
    else if (turn === SENT || turn === OVER) this.connection.outbox.whenTaken(callback)
    else (this.#finished ??= []).push(callback)
  }

  /** Calls back when the client goes away before it has the whole response. */
  onAbort(callback: () => void): void {
    this.onFinished((error) => {
      if (error !== null) callback()
    })
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

  /** The body is malformed, or has not arrived in time: its reader gets the error. */
  breakOff(error: Error): void {
    this.body?.fail(error)
    this.pair?.breakOff(error)
  }

  /** The client has read what it was sent. */
  drained(): void {
    this.#writer?.drained()
    this.pair?.drained()
  }

  /** The connection has gone on to the next request. */
  leave(): void {
    if (this.#turn.isOver) this.#turn = OVER
  }

  /** The connection ended, or broke. */
  cut(): void {
    const { turn } = this
    if (turn.isOver) this.#turn = OVER
    else this.#turn = turn.hasBegun ? CUT : LOST
    this.pair?.cut()
    this.body?.fail(prematureClose())
    const finished = this.#finished
    this.#finished = null
    for (const callback of finished ?? []) callback(prematureClose())
  }
}

function responseSent(): Error {
  return Object.assign(new Error('The response of this exchange has begun'), { code: 'WIRE_RESPONSE_SENT' })
}
