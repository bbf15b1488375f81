import type { Framing } from './framing.ts'

/** A content that does not have the length that its head declares. What had begun has been cut. */
export class LengthError extends Error {
  /** the code of all these errors */
  readonly code = 'WIRE_LENGTH_MISMATCH'

  constructor(problem: string) {
    super(problem)
    this.name = 'LengthError'
  }
}

/** The application has begun the response itself, past the writer that was to write it. */
export class BegunError extends Error {
  /** the code of all these errors */
  readonly code = 'WIRE_RESPONSE_BEGUN'

  constructor() {
    super('the response was begun on the raw response while another content was to be sent')
    this.name = 'BegunError'
  }
}

/** Trailers by name (RFC 9110 section 6.5). */
export type Trailers = Readonly<Record<string, string>>

/**
 * Writes the content of one response, piece by piece, with back-pressure. The head goes out with the first piece, or at
 * the end. A content that has another length than its head declares never goes out as a whole: the connection is cut,
 * unless nothing has been written yet.
 */
export abstract class ContentWriter {
  /** what the application has said about the framing that is not so; for the log */
  readonly contradiction: string | null
  readonly #length: number
  readonly #hasContent: boolean
  #written = 0
  #hasBegun = false
  #isEnded = false
  #whenDrained: (() => void) | null = null

  protected constructor({ by, length, contradiction }: Framing) {
    this.contradiction = contradiction
    this.#length = by === 'length' ? Number(length) : Infinity
    this.#hasContent = by !== 'none'
  }

  /**
   * Writes a piece. A response that is over, or has become another writer's, takes nothing.
   *
   * @returns false when the client has yet to read: more can wait for `whenDrained`
   * @throws LengthError when the content is longer than declared
   * @throws BegunError when the application has begun the response past this writer
   */
  write(piece: Uint8Array): boolean {
    if (this.#isEnded || !this.mayWrite()) return true
    const { byteLength } = piece
    if (this.#hasContent && this.#written + byteLength > this.#length) this.#fail('longer')
    this.#begin()
    if (!this.#hasContent || byteLength === 0) return true
    this.#written += byteLength
    return this.writePiece(piece)
  }

  /**
   * Ends the response.
   *
   * @param trailers - written where the framing has a place for them
   * @throws LengthError when the content is shorter than declared
   * @throws BegunError when the application has begun the response past this writer
   */
  end(trailers: Trailers | null = null): void {
    if (this.#isEnded || !this.mayWrite()) return
    const isShort = this.#hasContent && this.#length !== Infinity && this.#written < this.#length
    if (isShort) this.#fail('shorter')
    this.#begin()
    this.#isEnded = true
    this.finish(trailers)
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.writeHead()
  }

  #fail(comparison: string): never {
    this.#isEnded = true
    if (this.#hasBegun) this.cut()
    throw new LengthError(`the content is ${comparison} than its content-length of ${this.#length} bytes`)
  }

  /** Calls back once, when the client has read what made `write` return false. */
  whenDrained(callback: () => void): void {
    this.#whenDrained = callback
  }

  /** The client has read: what waits for that goes on. */
  drained(): void {
    const callback = this.#whenDrained
    this.#whenDrained = null
    callback?.()
  }

  /** Ends the connection within the response, so that its client does not take a part for the whole. */
  abstract cut(): void

  /**
   * Whether the response can be written by this writer.
   *
   * @returns false when it is over, or another one takes its place
   * @throws BegunError
   */
  protected abstract mayWrite(): boolean

  /** Writes the head, before the first piece. */
  protected abstract writeHead(): void

  /** @returns false when the client has yet to read */
  protected abstract writePiece(piece: Uint8Array): boolean

  /** Writes the end of the content, behind the last piece. */
  protected abstract finish(trailers: Trailers | null): void
}
