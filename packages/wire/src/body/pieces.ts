const SMALLEST = 1024

/** What a decoder writes for bytes that are no character. */
const REPLACEMENT = '\uFFFD'

/** The form of a whole body; `utf-8` is text, but bytes if the text has U+FFFD. */
export type BodyForm = 'text' | 'bytes' | 'utf-8'

/**
 * Bytes that arrive in pieces. Copies go into one buffer, so that many small pieces cost no more memory than their
 * bytes. The first piece is not copied as long as its memory is valid: most bodies are one piece and are read at
 * once.
 */
export class Pieces {
  /** the number of bytes; only this class changes it */
  length = 0
  #bytes: Buffer | null = null
  #start = 0
  #isOwn = false

  /**
   * Adds a copy.
   *
   * @param expected - the total number of bytes, if it is known
   */
  add(bytes: Buffer, start: number, end: number, expected: number): void {
    const added = end - start
    const own = this.#reserve(added, expected)
    bytes.copy(own, this.#start + this.length, start, end)
    this.length += added
  }

  /** Adds bytes; the first piece is not copied. The caller must call `own` before those bytes change. */
  hold(bytes: Buffer, start: number, end: number, expected: number): void {
    if (this.#bytes === null) {
      this.#bytes = bytes
      this.#start = start
      this.length = end - start
    } else this.add(bytes, start, end, expected)
  }

  /** Passes the bytes, if there are any, to a reader, which copies what it keeps. @returns what the reader returns */
  readBy<Result>(reader: { take(bytes: Buffer, start: number, end: number): Result }): Result | undefined {
    if (this.#bytes === null) return undefined
    return reader.take(this.#bytes, this.#start, this.#start + this.length)
  }

  /** Copies a piece that is still in foreign memory. */
  own(): void {
    if (this.#bytes !== null && !this.#isOwn) this.#reserve(0, 0)
  }

  #reserve(added: number, expected: number): Buffer {
    const needed = this.length + added
    const bytes = this.#bytes
    if (bytes !== null && this.#isOwn && this.#start + needed <= bytes.length) return bytes
    const isKnown = expected >= needed
    const more = isKnown ? Math.min(expected, needed * 8) : Math.max(needed * 2, SMALLEST)
    const size = added === 0 || (bytes === null && !isKnown) ? needed : more
    // A buffer that grows gets its own memory; a body in one piece can come from Node's pool.
    const own = added === 0 ? Buffer.allocUnsafe(size) : Buffer.allocUnsafeSlow(size)
    bytes?.copy(own, 0, this.#start, this.#start + this.length)
    this.#start = 0
    this.#bytes = own
    this.#isOwn = true
    return own
  }

  /** Returns the bytes in memory of their own, or their text. */
  take(form: BodyForm): string | Buffer {
    if (form !== 'bytes') {
      const end = this.#start + this.length
      const text = this.#bytes === null ? '' : this.#bytes.toString('utf8', this.#start, end)
      // U+FFFD may have been sent, too: who gets the bytes decides.
      if (form === 'text' || !text.includes(REPLACEMENT)) return text
    }
    this.own()
    const bytes = this.#bytes ?? Buffer.alloc(0)
    return this.length === bytes.length ? bytes : bytes.subarray(this.#start, this.#start + this.length)
  }

  clear(): void {
    this.#bytes = null
    this.#start = 0
    this.length = 0
    this.#isOwn = false
  }
}
