import { ContentWriter, type Trailers } from '../message/content-writer.ts'
import type { Framing } from '../message/framing.ts'
import { tailOf, type HeadTail } from './head-lines.ts'
import type { SetFields } from './head-composer.ts'
import type { Responding } from './responding.ts'

/** The head of a content without its tail. */
export interface ContentHead extends HeadTail {
  readonly lines: string
}

/** Writes the content of a response to the connection of its exchange. */
export class WireWriter extends ContentWriter {
  readonly #exchange: Responding
  readonly #status: number
  readonly #isChunked: boolean
  readonly #head: (raw: SetFields | null) => ContentHead
  /** the end of the previous chunk, written before the next one */
  #lineEnd = ''
  #isCorked = false

  /** @param head - composes the head, with the headers set on Node's response meanwhile */
  constructor(
    exchange: Responding,
    status: number,
    head: (raw: SetFields | null) => ContentHead,
    framing: Framing,
  ) {
    super(framing)
    this.#exchange = exchange
    this.#status = status
    this.#head = head
    this.#isChunked = framing.by === 'chunked'
  }

  protected override mayWrite(): boolean {
    return this.#exchange.mayWrite(this)
  }

  protected override writeHead(): void {
    const exchange = this.#exchange
    const head = this.#head(exchange.setFields)
    exchange.begin(this.#status)
    exchange.connection.outbox.flush()
    const tail = tailOf(exchange, head)
    // The coding comes last, as Node writes it.
    this.#write(
      head.lines + (this.#isChunked ? `${tail.slice(0, -2)}Transfer-Encoding: chunked\r\n\r\n` : tail),
    )
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

  #write(text: string): void {
    this.#cork()
    this.#exchange.connection.socket.write(text, 'latin1')
  }

  /**
   * Sends everything that is written in one turn together. A source that writes everything at once gets
   * back-pressure, and the head is not sent before an error in the same turn.
   */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { socket } = this.#exchange.connection
    socket.cork()
    process.nextTick(() => {
      this.#isCorked = false
      socket.uncork()
    })
  }

  override cut(): void {
    this.#exchange.abort()
  }
}
