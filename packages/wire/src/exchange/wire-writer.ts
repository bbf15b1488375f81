import { ContentWriter, type Trailers } from '../message/content-writer.ts'
import type { ResponseHeaders } from '../message/field.ts'
import { frame, STREAMED } from '../message/framing.ts'
import { checkStatus } from '../message/status.ts'
import { statusLine } from '../response/head-lines.ts'
import type { Exchange } from './exchange.ts'
import { lengthLine, tailOf } from './respond.ts'

/** Writes the content of a response to the connection of its exchange. Nothing is written before the first piece. */
export class WireWriter extends ContentWriter {
  readonly #exchange: Exchange
  readonly #status: number
  readonly #headers: ResponseHeaders
  readonly #length: string
  readonly #isChunked: boolean
  readonly #hasTrailers: boolean
  /** the end of the previous chunk, written before the next one */
  #lineEnd = ''
  #isCorked = false

  /** @throws FieldError, StatusError when the head is invalid */
  constructor(exchange: Exchange, status: number, headers: ResponseHeaders, hasTrailers: boolean) {
    const { connection, method } = exchange
    const { composer } = connection.engine
    checkStatus(status)
    composer.compose(headers)
    const framing = frame({ method, status, httpVersion: '1.1', size: STREAMED, hasTrailers }, composer)
    super(framing)
    this.#exchange = exchange
    this.#status = status
    this.#headers = headers
    this.#length = lengthLine(framing, headers)
    this.#isChunked = framing.by === 'chunked'
    this.#hasTrailers = hasTrailers
  }

  protected override mayWrite(): boolean {
    return this.#exchange.mayWrite(this)
  }

  /** Composes the head only now: until the first piece, the application may set headers on Node's response. */
  protected override writeHead(): void {
    const exchange = this.#exchange
    const { composer } = exchange.connection.engine
    const set = exchange.pair?.setFields ?? null
    let head = statusLine(this.#status) + composer.compose(this.#headers, set) + this.#length
    if (this.#isChunked && this.#hasTrailers && composer.trailer !== undefined)
      head += composer.line('trailer', String(composer.trailer))
    head += tailOf(exchange)
    // The coding comes last, as Node writes it.
    if (this.#isChunked) head = `${head.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n`
    exchange.begin(this.#status)
    exchange.connection.outbox.flush()
    this.#write(head)
  }

  protected override writePiece(piece: Uint8Array): boolean {
    if (this.#isChunked) {
      this.#write(`${this.#lineEnd}${piece.byteLength.toString(16)}\r\n`)
      this.#lineEnd = '\r\n'
    }
    const { socket } = this.#exchange.connection
    socket.write(piece)
    return !socket.writableNeedDrain
  }

  protected override finish(trailers: Trailers | null): void {
    const exchange = this.#exchange
    if (this.#isChunked) {
      const lines = trailers === null ? '' : exchange.connection.engine.composer.compose(trailers)
      this.#write(`${this.#lineEnd}0\r\n${lines}\r\n`)
    }
    exchange.complete()
  }

  /**
   * Sends everything that is written in one turn together. A source that writes everything at once gets
   * back-pressure, and the head is not sent before an error in the same turn.
   */
  #write(text: string): void {
    const { socket } = this.#exchange.connection
    if (!this.#isCorked) {
      this.#isCorked = true
      socket.cork()
      process.nextTick(() => {
        this.#isCorked = false
        socket.uncork()
      })
    }
    socket.write(text, 'latin1')
  }

  override cut(): void {
    this.#exchange.abort()
  }
}
