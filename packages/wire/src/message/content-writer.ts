import type { Framing } from './framing.ts'

/** The content does not have the length that its head declares. If the response had begun, it was cut. */
export class LengthError extends Error {
  /** the code of all these errors */
  readonly code = 'WIRE_LENGTH_MISMATCH'

  constructor(problem: string) {
    super(problem)
    this.name = 'LengthError'
  }
}

/** The application has begun the response itself, instead of leaving it to the writer. */
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
 * Writes the content of one response, piece by piece, with back-pressure. The head is sent with the first piece, or
 * at the end. If the content does not have the length that its head declares, the connection is cut, unless nothing
 * has been written yet.
 */
export abstract class ContentWriter {
  /** what the application wrongly said about the framing, for the log; `null` if nothing */
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
   * Writes a piece. Does nothing if the response is over, or has another writer.
   *
   * @returns false when the client must read first: the caller can wait with `whenDrained`
   * @throws LengthError when the content is longer than declared
   * @throws BegunError when the application has begun the response without this writer
   */
  write(piece: Uint8Array): boolean {
    if (this.#isEnded || !this.mayWrite()) return true
    const { byteLength } = piece
    const written = this.#written + byteLength
    if (this.#hasContent && written > this.#length) this.#fail(`has at least ${written} bytes`)
    this.#begin()
    if (!this.#hasContent || byteLength === 0) return true
    this.#written = written
    return this.writePiece(piece)
  }

  /**
   * Ends the response.
   *
   * @param trailers - written if the framing allows trailers
   * @throws LengthError when the content is shorter than declared
   * @throws BegunError when the application has begun the response without this writer
   */
  end(trailers: Trailers | null = null): void {
    if (this.#isEnded || !this.mayWrite()) return
    const isShort = this.#hasContent && this.#length !== Infinity && this.#written < this.#length
    if (isShort) this.#fail(`has ${this.#written} bytes`)
    this.#begin()
    this.#isEnded = true
    this.finish(trailers)
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.writeHead()
  }

  #fail(fact: string): never {
    this.#isEnded = true
    if (this.#hasBegun) this.cut()
    throw new LengthError(`the content ${fact}, and its content-length is ${this.#length}`)
  }

  /** Calls back once, when the client has read what made `write` return false. */
  whenDrained(callback: () => void): void {
    this.#whenDrained = callback
  }

  /** Called when the client has read; calls the callback of `whenDrained`. */
  drained(): void {
    const callback = this.#whenDrained
    this.#whenDrained = null
    callback?.()
  }

  /** Ends the connection within the response, so that the client does not mistake a part for the whole. */
  abstract cut(): void

  /**
   * Whether this writer can write the response.
   *
   * @returns false when the response is over, or has another writer
   * @throws BegunError
   */
  protected abstract mayWrite(): boolean

  /** Writes the head, before the first piece. */
  protected abstract writeHead(): void

  /** @returns false when the client must read first */
  protected abstract writePiece(piece: Uint8Array): boolean

  /** Writes the end of the content, after the last piece. */
  protected abstract finish(trailers: Trailers | null): void
}
