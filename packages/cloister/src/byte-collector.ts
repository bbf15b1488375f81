import { joinBytes } from './bytes.ts'
import { clearTimeout, setTimeout, type Alarm } from './platform.ts'

/** Pieces from this size on are kept as they are. Smaller ones are copied, because an object costs about 200 bytes. */
const LARGE = 4096
const FIRST_BLOCK = 1024
const MAX_BLOCK = 65_536

/**
 * Collects bytes that arrive in pieces. It takes the memory of the bytes and at most one block, whatever the size of the
 * pieces. A piece must not change after it was added.
 */
export class ByteCollector<Memory extends ArrayBufferLike = ArrayBufferLike> {
  #parts: Uint8Array<Memory | ArrayBuffer>[] = []
  /** the first piece, which is often the only one */
  #first: Uint8Array<Memory> | null = null
  #block: Uint8Array<ArrayBuffer> | null = null
  #start = 0
  #end = 0
  #length = 0

  /** how many bytes were added */
  get length(): number {
    return this.#length
  }

  add(bytes: Uint8Array<Memory>): void {
    const first = this.#first
    this.#first = null
    if (this.#length === 0) this.#first = bytes
    else {
      if (first !== null) this.#put(first)
      this.#put(bytes)
    }
    this.#length += bytes.byteLength
  }

  /** Takes all bytes, in few parts. */
  take(): Uint8Array<Memory | ArrayBuffer>[] {
    const first = this.#first
    this.#cut()
    const parts = first === null ? this.#parts : [first]
    this.#parts = []
    this.#first = null
    this.#block = null
    this.#start = 0
    this.#end = 0
    this.#length = 0
    return parts
  }

  /** Takes all bytes, as one. */
  takeJoined(): Uint8Array {
    const parts = this.take()
    const [first] = parts
    return parts.length === 1 && first !== undefined ? first : joinBytes(parts)
  }

  #put(bytes: Uint8Array<Memory>): void {
    if (bytes.byteLength >= LARGE) {
      this.#cut()
      this.#parts.push(bytes)
      return
    }
    const block = this.#reserve(bytes.byteLength)
    block.set(bytes, this.#end)
    this.#end += bytes.byteLength
  }

  /** Returns the block, with room for more bytes. */
  #reserve(size: number): Uint8Array<ArrayBuffer> {
    const block = this.#block
    if (block !== null && this.#end + size <= block.byteLength) return block
    this.#cut()
    const wanted = Math.min(MAX_BLOCK, Math.max(FIRST_BLOCK, this.#length * 2))
    const larger = new Uint8Array(Math.max(size, wanted))
    this.#block = larger
    this.#start = 0
    this.#end = 0
    return larger
  }

  /** Ends the part that is being filled. The rest of its block is for later pieces. */
  #cut(): void {
    if (this.#block !== null && this.#end > this.#start)
      this.#parts.push(this.#block.subarray(this.#start, this.#end))
    this.#start = this.#end
  }
}

/** Bytes that wait for more are passed on from this number on. */
const ENOUGH = 16_384
/** How long bytes wait for more, in milliseconds. */
const MAX_WAIT_MS = 5

/**
 * Joins small pieces before a consumer gets them, so that its work and memory depend on the number of bytes and not on
 * how the client has cut them. Large pieces are passed on at once, small ones after a few milliseconds.
 */
export class PieceJoiner {
  readonly #waiting = new ByteCollector()
  readonly #consume: (bytes: Uint8Array) => void
  #timer: Alarm = undefined

  constructor(consume: (bytes: Uint8Array) => void) {
    this.#consume = consume
  }

  add(bytes: Uint8Array): void {
    const isLarge = bytes.byteLength >= LARGE
    if (isLarge && this.#waiting.length === 0) {
      this.#consume(bytes)
      return
    }
    this.#waiting.add(bytes)
    if (this.#waiting.length >= ENOUGH) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS)
  }

  /** Passes on what waits. */
  flush(): void {
    this.#stopWaiting()
    if (this.#waiting.length > 0) this.#consume(this.#waiting.takeJoined())
  }

  /** Drops what waits. */
  drop(): void {
    this.#stopWaiting()
    this.#waiting.take()
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
