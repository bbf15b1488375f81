import { ChunkedDecoder, type ChunkTarget } from './chunked.ts'
import { Pieces, type BodyForm } from './pieces.ts'
import { SmallChunks } from './small-chunks.ts'

/**
 * Reads a body as it arrives. The bytes are valid only during the call of `take`; a reader copies what it keeps.
 * After it has returned false, it calls `BodyFlow.resume` to get more.
 */
export interface BodyReader {
  /** @returns false when it wants no more for now */
  take(bytes: Buffer, start: number, end: number): boolean
  /** @param trailers - names and values, alternating; empty if there are none */
  end(trailers: readonly string[]): void
  /** Called when the body can no longer be completed. */
  fail(error: Error): void
}

/** The source of a body. */
export interface BodyFlow {
  pause(): void
  resume(): void
}

/** How many bytes are buffered before the application reads the body; then the connection pauses. */
const MAX_KEPT = 65_536

const NO_TRAILERS: readonly string[] = []

/**
 * The body of one request (RFC 9112 section 6), with a length or chunked. Passes it from the connection to its
 * reader with back-pressure. Bytes that arrive before the reader are kept.
 */
export class RequestBody implements ChunkTarget {
  /** the declared length; `null` for a chunked body */
  readonly length: number | null
  /** whether all of it has arrived */
  isComplete: boolean
  /** whether it has a reader, or had one */
  isTaken = false
  /** bytes that arrived before there was a reader */
  readonly kept: Pieces = new Pieces()
  // Fields with `#` would cost each body one more call.
  private readonly flow: BodyFlow
  private readonly decoder: ChunkedDecoder | null
  private chunks: SmallChunks | null = null
  private left: number
  private reader: BodyReader | null = null
  private isDiscarded = false
  /** why the rest never arrives */
  private failure: Error | null = null

  constructor(length: number | null, flow: BodyFlow) {
    this.length = length
    this.isComplete = length === 0
    this.flow = flow
    this.decoder = length === null ? new ChunkedDecoder() : null
    this.left = length ?? 0
  }

  /** The trailers (RFC 9112 section 7.1.2), names and values alternating; empty until the body is complete. */
  get trailers(): readonly string[] {
    return this.decoder?.trailers ?? NO_TRAILERS
  }

  /**
   * Takes bytes that have arrived.
   *
   * @returns the index after the last byte of this body
   * @throws ParseError when the bytes are not a chunked body
   */
  feed(bytes: Buffer, start: number, end: number): number {
    const decoder = this.decoder
    if (decoder !== null) {
      const at = this.#decode(decoder, bytes, start, end)
      if (decoder.isDone) this.#complete()
      return at
    }
    const at = Math.min(end, start + this.left)
    this.left -= at - start
    if (at > start) this.take(bytes, start, at)
    if (this.left === 0) this.#complete()
    return at
  }

  #decode(decoder: ChunkedDecoder, bytes: Buffer, start: number, end: number): number {
    const chunks = (this.chunks ??= new SmallChunks(this))
    try {
      return decoder.feed(bytes, start, end, chunks)
    } finally {
      chunks.flush()
    }
  }

  /** Passes a piece to the reader, or keeps it. */
  take(bytes: Buffer, start: number, end: number): void {
    if (this.isDiscarded) return
    if (this.reader !== null) {
      if (!this.reader.take(bytes, start, end)) this.flow.pause()
    } else {
      this.kept.hold(bytes, start, end, this.length ?? 0)
      if (this.kept.length >= MAX_KEPT) this.flow.pause()
    }
  }

  /** Takes all kept bytes of a complete body without a reader. */
  takeKept(form: BodyForm): string | Buffer {
    this.isTaken = true
    const content = this.kept.take(form)
    this.kept.clear()
    return content
  }

  #complete(): void {
    this.isComplete = true
    this.reader?.end(this.trailers)
  }

  /** Opens the body for a reader, which gets the kept bytes at once and later ones as they arrive. */
  open(reader: BodyReader): void {
    this.isTaken = true
    this.reader = reader
    const { kept } = this
    const wantsMore = kept.readBy(reader) !== false
    kept.clear()
    if (this.isComplete) this.#complete()
    else if (this.failure !== null) reader.fail(this.failure)
    else if (wantsMore) this.flow.resume()
    else this.flow.pause()
  }

  /** Discards the body, unless the application reads it. */
  discard(): void {
    if (this.reader === null) this.abandon()
  }

  /** Discards the rest of the body; a reader gets nothing more. */
  abandon(): void {
    this.reader = null
    this.isDiscarded = true
    this.kept.clear()
    this.flow.resume()
  }

  /** Fails the reader, also one that comes later: the connection has ended, or the bytes are invalid. */
  fail(error: Error): void {
    if (this.isComplete) return
    this.failure = error
    this.reader?.fail(error)
  }
}
