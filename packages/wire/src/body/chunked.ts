import { CHUNK_STEPS, DATA, DATA_CR, DONE, SIZE_FIRST } from './chunk-steps.ts'
import type { ChunkState } from './chunk-steps.ts'

/** Gets the data of chunks, as ranges of the bytes that came. */
export interface ChunkTarget {
  take(bytes: Buffer, start: number, end: number): void
}

/**
 * Decodes a chunked body (RFC 9112 section 7.1), however it is cut. Strict: sizes are hexadecimal digits without
 * signs and blanks, every line ends with CR LF, extensions have the grammar of section 7.1.1, trailers that of fields.
 */
export class ChunkedDecoder implements ChunkState {
  /** names and values of the trailers in turn */
  trailers: string[] | null = null
  /** what is left of the chunk */
  left = 0
  digits = 0
  extensionOctets = 0
  trailerOctets = 0
  line = ''
  #state = SIZE_FIRST

  get isDone(): boolean {
    return this.#state === DONE
  }

  /**
   * Reads what has come.
   *
   * @returns the index behind what it took: the end of the bytes, or of the body
   * @throws ParseError when the bytes are no chunked body
   */
  feed(bytes: Buffer, start: number, end: number, target: ChunkTarget): number {
    let at = start
    while (at < end && this.#state !== DONE) {
      if (this.#state === DATA) at = this.#takeData(bytes, at, end, target)
      else this.#state = this.#step(bytes[at++] ?? 0)
    }
    return at
  }

  #step(octet: number): number {
    const step = CHUNK_STEPS[this.#state]
    return step === undefined ? DONE : step(this, octet)
  }

  #takeData(bytes: Buffer, start: number, end: number, target: ChunkTarget): number {
    const behind = Math.min(end, start + this.left)
    this.left -= behind - start
    if (this.left === 0) this.#state = DATA_CR
    target.take(bytes, start, behind)
    return behind
  }
}
