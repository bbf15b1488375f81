import { Writable } from 'node:stream'

/** The connection that a response is written to, piece by piece. */
export interface SinkTarget {
  /** The first piece is about to be written: returns the head. */
  begin(): string
  /** Writes pieces in one go. @returns false when the client has yet to read */
  write(pieces: readonly (string | Uint8Array)[]): boolean
  /** Puts field lines of trailers together. */
  composeTrailers(fields: Readonly<Record<string, string>>): string
  /** Calls back when the client has read. */
  whenDrained(callback: () => void): void
  /** The response is complete. */
  end(): void
  /** The response can never be complete: the connection has to be ended. */
  fail(): void
}

/** How the end of a response is known (RFC 9112 section 6.3). */
export interface SinkFraming {
  /** the declared length; `null` where there is none */
  readonly length: number | null
  readonly isChunked: boolean
  /** responses to HEAD have a head alone (RFC 9110 section 9.3.2) */
  readonly isHeadOnly: boolean
}

const LAST_CHUNK = '0\r\n'

/**
 * Writes a response whose content comes in pieces, with back-pressure. The head goes out with the first piece, or at the
 * end. A content that does not have the declared length ends the connection, so that no part of it is taken for
 * another response.
 */
export class ResponseSink extends Writable {
  readonly #target: SinkTarget
  readonly #framing: SinkFraming
  #hasHead = false
  #left: number
  /** goes before the next chunk: the end of the chunk before it */
  #lineEnd = ''
  #trailers = ''

  constructor(target: SinkTarget, framing: SinkFraming, highWaterMark: number) {
    super({ highWaterMark })
    this.#target = target
    this.#framing = framing
    this.#left = framing.length ?? Infinity
  }

  /**
   * Sets the trailers (RFC 9112 section 7.1.2); only a chunked response carries them.
   *
   * @throws FieldError when one cannot be written
   */
  addTrailers(fields: Readonly<Record<string, string>>): void {
    this.#trailers = this.#target.composeTrailers(fields)
  }

  override _write(chunk: Uint8Array, _encoding: string, written: (error?: Error) => void): void {
    if (chunk.byteLength === 0) {
      this.#go([this.#takeHead()], written)
      return
    }
    this.#left -= chunk.byteLength
    if (this.#left < 0) {
      this.#target.fail()
      written(new Error('The content of the response is longer than its Content-Length'))
    } else if (this.#framing.isHeadOnly) this.#go([this.#takeHead()], written)
    else if (this.#framing.isChunked) {
      const start = `${this.#takeHead()}${this.#lineEnd}${chunk.byteLength.toString(16)}\r\n`
      this.#lineEnd = '\r\n'
      this.#go([start, chunk], written)
    } else this.#go([this.#takeHead(), chunk], written)
  }

  override _final(ended: (error?: Error) => void): void {
    const isShort = this.#framing.length !== null && this.#left > 0 && !this.#framing.isHeadOnly
    if (isShort) this.#target.fail()
    else {
      const hasLastChunk = this.#framing.isChunked && !this.#framing.isHeadOnly
      const end = hasLastChunk ? `${this.#lineEnd}${LAST_CHUNK}${this.#trailers}\r\n` : ''
      this.#target.write([`${this.#takeHead()}${end}`])
      this.#target.end()
    }
    ended()
  }

  #takeHead(): string {
    if (this.#hasHead) return ''
    this.#hasHead = true
    return this.#target.begin()
  }

  #go(pieces: readonly (string | Uint8Array)[], written: () => void): void {
    if (this.#target.write(pieces)) written()
    else this.#target.whenDrained(written)
  }
}
