import { createError } from '../errors.ts'
import { Emitter } from '../exchange/emitter.ts'
import type { ByteStream, WebReader, WebStream } from '../exchange/streams.ts'
import { hush } from '../guards.ts'

/**
 * A web stream with the part of Node's interface that the framework reads, for platforms without Node's streams. It can
 * be listened to and iterated.
 *
 * @throws `CLO_ERR_TRANSPORT_UNSUPPORTED` if it is piped
 */
export class PlatformStream extends Emitter implements ByteStream {
  readonly #source: WebStream
  #reader: WebReader | null = null
  #isFlowing = false
  #isReading = false
  #isOver = false

  constructor(source: WebStream) {
    super()
    this.#source = source
  }

  resume(): this {
    this.#isFlowing = true
    if (!this.#isReading) void this.#flow()
    return this
  }

  pause(): this {
    this.#isFlowing = false
    return this
  }

  destroy(error?: unknown): this {
    this.#isOver = true
    this.#open().cancel(error).catch(hush)
    return this
  }

  pipe(): never {
    return refuseNodeStream()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    const reader = this.#open()
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
    this.#isOver = true
  }

  #open(): WebReader {
    this.#reader ??= this.#source.getReader()
    return this.#reader
  }

  async #flow(): Promise<void> {
    this.#isReading = true
    try {
      const reader = this.#open()
      while (this.#isFlowing && !this.#isOver) {
        const { done, value } = await reader.read()
        if (!done) this.emit('data', value)
        else if (!this.#isOver) this.#end('end')
      }
    } catch (error) {
      if (!this.#isOver) this.#end('error', error)
    } finally {
      this.#isReading = false
    }
  }

  #end(event: 'end' | 'error', value?: unknown): void {
    this.#isOver = true
    this.emit(event, value)
    this.emit('close')
  }
}

/** Throws the error for a missing Node stream. */
export function refuseNodeStream(): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what: 'a stream of Node',
    instead: 'a web stream, or turn on the modules of Node (nodejs_compat)',
  })
}
