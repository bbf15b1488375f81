// A socket without a network: bytes come when the test delivers them, and all that is written is kept.
import { Socket } from 'node:net'
import type { End } from '../../responses/strict-client.ts'

/** Overwrites what was read, as the next read of another connection would. */
const POISON = 0xdb

/** What the engine and Node need of a handle of libuv. */
class MemoryHandle {
  /** set by Node's sockets */
  reading = false
  buffer: Uint8Array | null = null

  useUserBuffer(buffer: Uint8Array): void {
    this.buffer = buffer
  }
  readStart(): number {
    this.reading = true
    return 0
  }
  readStop(): number {
    this.reading = false
    return 0
  }
  close(closed?: () => void): void {
    if (closed !== undefined) setImmediate(closed)
  }
  ref(): void {}
  unref(): void {}
}

/** The connection of one client, as a server gets it. */
export class MemorySocket extends Socket {
  /** the parser of Node has got it */
  isLeftToNode = false
  readonly #handle = new MemoryHandle()
  readonly #isSlow: boolean
  readonly #waiting: Buffer[] = []
  #pieces: Buffer[] = []
  #parser: unknown = null
  #isEnded = false
  #written: (() => void) | null = null

  /** @param isSlow - the client reads once in each turn */
  constructor(isSlow: boolean) {
    super({ allowHalfOpen: true })
    this.#isSlow = isSlow
    Reflect.set(this, '_handle', this.#handle)
    this.#handle.readStart()
  }

  /** Node keeps its parser there. */
  get parser(): unknown {
    return this.#parser
  }

  set parser(parser: unknown) {
    this.#parser = parser
    if (parser !== null && parser !== undefined) this.isLeftToNode = true
  }

  /** What the client sees. */
  get output(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  get ending(): End {
    if (this.#isEnded) return 'ended'
    return this.destroyed ? 'reset' : 'open'
  }

  /** Bytes come from the client. */
  deliver(bytes: Buffer): void {
    this.#waiting.push(bytes)
    this.flow()
  }

  /** Delivers what waits for a reader, and reads. */
  flow(): void {
    const written = this.#written
    this.#written = null
    written?.()
    while (this.#handle.reading && !this.destroyed) {
      const bytes = this.#waiting.shift()
      if (bytes === undefined) return
      const { buffer } = this.#handle
      const take = buffer === null ? null : this.#take()
      if (buffer === null || take === null) this.push(bytes)
      else {
        buffer.set(bytes)
        Reflect.apply(take, this, [bytes.length, buffer])
        buffer.fill(POISON, 0, bytes.length)
      }
    }
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0 || this.#written !== null
  }

  /** The client sends no more. */
  endInput(): void {
    if (!this.destroyed && !this.hasWaiting) this.push(null)
  }

  #take(): ((...args: unknown[]) => unknown) | null {
    const key = Object.getOwnPropertySymbols(this).find(({ description }) => description === 'kBufferCb')
    const take: unknown = key === undefined ? null : Reflect.get(this, key)
    return typeof take === 'function' ? (...args) => Reflect.apply(take, this, args) : null
  }

  override _read(): void {}

  override _write(chunk: string | Uint8Array, encoding: BufferEncoding, written: () => void): void {
    this.#pieces.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
    if (this.#isSlow) this.#written = written
    else written()
  }

  override _writev(
    chunks: { chunk: string | Uint8Array; encoding: BufferEncoding }[],
    written: () => void,
  ): void {
    for (const { chunk, encoding } of chunks)
      this.#pieces.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk))
    if (this.#isSlow) this.#written = written
    else written()
  }

  override _final(ended: () => void): void {
    this.#isEnded = true
    ended()
  }
}
