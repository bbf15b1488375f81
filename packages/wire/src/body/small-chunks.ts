import type { ChunkTarget } from './chunked.ts'

/** Larger chunks are passed on without a copy. */
const SMALL = 1024
const ENOUGH = 8192

/**
 * Joins the small chunks of one read, so that the readers of a body get few pieces, however small its chunks are.
 * `flush` passes on what waits; the decoder calls it before the bytes of the read change.
 */
export class SmallChunks implements ChunkTarget {
  readonly #target: ChunkTarget
  /** a single chunk as it came, or the copy of several */
  #bytes: Buffer | null = null
  #start = 0
  #end = 0
  #isCopy = false

  constructor(target: ChunkTarget) {
    this.#target = target
  }

  take(bytes: Buffer, start: number, end: number): void {
    if (end - start > SMALL) {
      this.flush()
      this.#target.take(bytes, start, end)
      return
    }
    if (this.#end - this.#start + end - start > ENOUGH) this.flush()
    if (this.#bytes === null) {
      this.#bytes = bytes
      this.#start = start
      this.#end = end
      return
    }
    const copy = this.#isCopy ? this.#bytes : this.#copyFirst(this.#bytes)
    bytes.copy(copy, this.#end, start, end)
    this.#end += end - start
  }

  flush(): void {
    const bytes = this.#bytes
    if (bytes === null) return
    const start = this.#start
    const end = this.#end
    this.#bytes = null
    this.#start = 0
    this.#end = 0
    this.#isCopy = false
    this.#target.take(bytes, start, end)
  }

  #copyFirst(first: Buffer): Buffer {
    const copy = Buffer.allocUnsafe(ENOUGH)
    first.copy(copy, 0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    this.#bytes = copy
    this.#isCopy = true
    return copy
  }
}
