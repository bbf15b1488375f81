import type { ChunkTarget } from './chunked.ts'
import { Pieces } from './pieces.ts'

/** Larger chunks are passed on without a copy. */
const SMALL = 1024
const ENOUGH = 8192

/**
 * Joins the small chunks of one read, so that the readers of a body get few pieces, however small its chunks are.
 * `flush` passes on what waits; the decoder calls it before the bytes of the read change.
 */
export class SmallChunks implements ChunkTarget {
  readonly #target: ChunkTarget
  #pieces: Pieces = new Pieces()

  constructor(target: ChunkTarget) {
    this.#target = target
  }

  take(bytes: Buffer, start: number, end: number): void {
    const isSmall = end - start <= SMALL
    if (!isSmall || this.#pieces.length + end - start > ENOUGH) this.flush()
    if (isSmall) this.#pieces.hold(bytes, start, end, ENOUGH)
    else this.#target.take(bytes, start, end)
  }

  flush(): void {
    const pieces = this.#pieces
    if (pieces.length === 0) return
    this.#pieces = new Pieces()
    pieces.readBy(this.#target)
  }
}
