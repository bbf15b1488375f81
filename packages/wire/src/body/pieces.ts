const SMALLEST = 1024

/** Gets bytes that are valid during the call. */
export interface PieceReader {
  /** @returns false when it has enough for now */
  take(bytes: Buffer, start: number, end: number): boolean
}

/**
 * Bytes that come in pieces. They are copied together, so that many small pieces cost no more memory than their bytes.
 * The first piece may stay where it came, as long as that is valid: most bodies come in one, and are read at once.
 */
export class Pieces {
  #bytes: Buffer | null = null
  #start = 0
  #end = 0
  #isOwn = false

  get length(): number {
    return this.#end - this.#start
  }

  /**
   * Adds a copy.
   *
   * @param expected - how many bytes there will be in the end, where that is known
   */
  add(bytes: Buffer, start: number, end: number, expected: number): void {
    const added = end - start
    const own = this.#reserve(added, expected)
    bytes.copy(own, this.#end, start, end)
    this.#end += added
  }

  /** Adds bytes without a copy, where they are the first; `own` has to follow before they change. */
  hold(bytes: Buffer, start: number, end: number, expected: number): void {
    if (this.#bytes === null) {
      this.#bytes = bytes
      this.#start = start
      this.#end = end
    } else this.add(bytes, start, end, expected)
  }

  /** Hands them to a reader, which copies what it keeps. @returns whether it wants more */
  readBy(reader: PieceReader): boolean {
    return this.#bytes === null || reader.take(this.#bytes, this.#start, this.#end)
  }

  /** Copies what is held. */
  own(): void {
    if (this.#bytes !== null && !this.#isOwn) this.#reserve(0, 0)
  }

  #reserve(added: number, expected: number): Buffer {
    const needed = this.length + added
    const bytes = this.#bytes
    if (bytes !== null && this.#isOwn && this.#start + needed <= bytes.length) return bytes
    const most = bytes === null || added === 0 ? needed : Math.max(needed * 2, SMALLEST)
    const size = Math.max(most, Math.min(expected, needed * 8))
    // What grows has memory of its own; a body in one piece has not to.
    const own = added === 0 ? Buffer.allocUnsafe(size) : Buffer.allocUnsafeSlow(size)
    bytes?.copy(own, 0, this.#start, this.#end)
    this.#end = this.length
    this.#start = 0
    this.#bytes = own
    this.#isOwn = true
    return own
  }

  text(): string {
    return this.#bytes === null ? '' : this.#bytes.toString('utf8', this.#start, this.#end)
  }

  /** Returns them in memory of their own. */
  bytes(): Buffer {
    this.own()
    return this.#bytes === null ? Buffer.alloc(0) : this.#bytes.subarray(this.#start, this.#end)
  }

  clear(): void {
    this.#bytes = null
    this.#start = 0
    this.#end = 0
    this.#isOwn = false
  }
}
