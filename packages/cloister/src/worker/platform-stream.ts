import { createError } from '../errors.ts'
import type { ByteStream, StreamListeners, WebStream } from '../exchange/streams.ts'
import { hush, isFunction } from '../guards.ts'

type Listener = StreamListeners[keyof StreamListeners]

/** What `getReader` of a web stream returns. */
interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>
  cancel(reason?: unknown): Promise<void>
}

/**
 * A web stream in the shape that the framework reads, on platforms without the streams of Node: it can be listened to
 * and iterated.
 *
 * @throws `CLO_ERR_TRANSPORT_UNSUPPORTED` when it is to be piped
 */
export class PlatformStream implements ByteStream {
  readonly #source: WebStream
  readonly #listeners = new Map<string, Set<Listener>>()
  #reader: Reader | null = null
  #isFlowing = false
  #isReading = false
  #isOver = false

  constructor(source: WebStream) {
    this.#source = source
  }

  get readableEnded(): boolean {
    return this.#isOver
  }

  on(event: string, listener: Listener): this {
    const known = this.#listeners.get(event)
    if (known === undefined) this.#listeners.set(event, new Set([listener]))
    else known.add(listener)
    return this
  }

  off(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener)
    return this
  }

  emit(event: string, value?: unknown): boolean {
    const listeners = [...(this.#listeners.get(event) ?? [])]
    for (const listener of listeners) listener(value)
    return listeners.length > 0
  }

  listenerCount(event: string): number {
    return this.#listeners.get(event)?.size ?? 0
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

  #open(): Reader {
    if (this.#reader !== null) return this.#reader
    const reader = this.#source.getReader()
    if (!isReader(reader)) throw new TypeError('the stream has no reader')
    this.#reader = reader
    return reader
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

function isReader(value: unknown): value is Reader {
  return isFunction(Reflect.get(Object(value), 'read'))
}

/** Says that a stream of Node was asked for. */
export function refuseNodeStream(): never {
  throw createError('TRANSPORT_UNSUPPORTED', {
    what: 'a stream of Node',
    instead: 'a web stream, or turn on the modules of Node (nodejs_compat)',
  })
}
