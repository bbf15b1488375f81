import { ChunkedDecoder, type ChunkTarget } from './chunked.ts'
import { Pieces, type PieceReader } from './pieces.ts'

/**
 * Reads a body: gets its bytes as they come. They are valid during the call of `take`; a reader that keeps them copies
 * them. When it has returned false, `BodyFlow.resume` asks for more.
 */
export interface BodyReader extends PieceReader {
  /** @param trailers - names and values in turn; empty where there are none */
  end(trailers: readonly string[]): void
  /** The body will never be complete. */
  fail(error: Error): void
}

/** Where a body comes from. */
export interface BodyFlow {
  pause(): void
  resume(): void
}

/** So much of a body is taken before the application reads it. */
const MOST_KEPT = 65_536

const NO_TRAILERS: readonly string[] = []

/**
 * The body of one request (RFC 9112 section 6): by length or chunked, and from the connection to its reader, with
 * back-pressure. What comes before a reader is there is kept.
 */
export class RequestBody implements ChunkTarget {
  /** the declared length; `null` for a chunked body */
  readonly length: number | null
  /** all of it has arrived */
  isComplete: boolean
  /** it has a reader, or had one */
  isTaken = false
  /** what came before there was a reader */
  readonly kept: Pieces = new Pieces()
  readonly #flow: BodyFlow
  readonly #decoder: ChunkedDecoder | null
  #left: number
  #reader: BodyReader | null = null
  #isDiscarded = false

  constructor(length: number | null, flow: BodyFlow) {
    this.length = length
    this.isComplete = length === 0
    this.#flow = flow
    this.#decoder = length === null ? new ChunkedDecoder() : null
    this.#left = length ?? 0
  }

  /** Names and values of the trailers in turn (RFC 9112 section 7.1.2); empty until all has arrived. */
  get trailers(): readonly string[] {
    return this.#decoder?.trailers ?? NO_TRAILERS
  }

  /**
   * Takes what has come.
   *
   * @returns the index behind what belongs to this body
   * @throws ParseError when the bytes are no chunked body
   */
  feed(bytes: Buffer, start: number, end: number): number {
    const decoder = this.#decoder
    if (decoder !== null) {
      const at = decoder.feed(bytes, start, end, this)
      if (decoder.isDone) this.#complete()
      return at
    }
    const at = Math.min(end, start + this.#left)
    this.#left -= at - start
    if (at > start) this.take(bytes, start, at)
    if (this.#left === 0) this.#complete()
    return at
  }

  /** Hands a piece on to the reader, or keeps it. */
  take(bytes: Buffer, start: number, end: number): void {
    if (this.#isDiscarded) return
    if (this.#reader !== null) {
      if (!this.#reader.take(bytes, start, end)) this.#flow.pause()
    } else {
      this.kept.hold(bytes, start, end, this.length ?? 0)
      if (this.kept.length >= MOST_KEPT) this.#flow.pause()
    }
  }

  /** Takes all that is kept, of a body that is complete and has no reader. */
  takeKept(isText: boolean): string | Buffer {
    this.isTaken = true
    const content = isText ? this.kept.text() : this.kept.bytes()
    this.kept.clear()
    return content
  }

  /** Copies what is kept, if it is still where it came: those bytes are about to be others. */
  ownKept(): void {
    this.kept.own()
  }

  #complete(): void {
    this.isComplete = true
    this.#reader?.end(this.trailers)
  }

  /** Hands the body to a reader: at once what is kept, later what comes. */
  open(reader: BodyReader): void {
    this.isTaken = true
    this.#reader = reader
    const { kept } = this
    const wantsMore = kept.readBy(reader)
    kept.clear()
    if (this.isComplete) reader.end(this.trailers)
    else if (wantsMore) this.#flow.resume()
    else this.#flow.pause()
  }

  /** Throws away what has come, and what is still to come, unless the application reads it. */
  discard(): void {
    if (this.#reader === null) this.abandon()
  }

  /** Throws away what is still to come: its reader wants no more. */
  abandon(): void {
    this.#isDiscarded = true
    this.kept.clear()
    this.#flow.resume()
  }

  /** The connection has ended, or the bytes are no body. */
  fail(error: Error): void {
    if (!this.isComplete) this.#reader?.fail(error)
  }
}
