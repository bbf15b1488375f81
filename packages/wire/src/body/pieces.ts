const SMALLEST = 1024

/**
 * Bytes that come in pieces. Most bodies come in one, which is kept where it is; others are copied together, so that
 * many small pieces cost no more memory than their bytes.
 */
export class Pieces {
  #bytes: Buffer | null = null
  #start = 0
  #end = 0
  #isOwn = false

  get length(): number {
    return this.#end - this.#start
  }

  /** @param expected - how many bytes there will be in the end, where that is known */
  add(bytes: Buffer, start: number, end: number, expected: number): void {
    if (this.#bytes === null) {
      this.#bytes = bytes
      this.#start = start
      this.#end = end
      return
    }
    const added = end - start
    this.#reserve(added, expected)
    bytes.copy(this.#bytes, this.#end, start, end)
    this.#end += added
  }

  #reserve(added: number, expected: number): void {
    const needed = this.length + added
    if (this.#bytes === null || (this.#isOwn && this.#start + needed <= this.#bytes.length)) return
    const own = Buffer.allocUnsafeSlow(Math.max(needed * 2, Math.min(expected, needed * 8), SMALLEST))
    this.#bytes.copy(own, 0, this.#start, this.#end)
    this.#end = this.length
    this.#start = 0
    this.#bytes = own
    this.#isOwn = true
  }

  text(): string {
    return this.#bytes === null ? '' : this.#bytes.toString('utf8', this.#start, this.#end)
  }

  bytes(): Buffer {
    return this.#bytes === null ? Buffer.alloc(0) : this.#bytes.subarray(this.#start, this.#end)
  }

  clear(): void {
    this.#bytes = null
    this.#start = 0
    this.#end = 0
    this.#isOwn = false
  }
}
