import type { FileSource, FormParser, FormParserClass } from '../dependencies.ts'
import { isFunction } from '../guards.ts'

/** The listeners of one emitter, by their event. */
class Listeners {
  readonly #byEvent = new Map<string, unknown>()

  on(event: string, listener: unknown): void {
    this.#byEvent.set(event, listener)
  }

  emit(event: string, ...args: unknown[]): void {
    const listener = this.#byEvent.get(event)
    if (isFunction(listener)) listener(...args)
  }
}

/** The content of a file that has arrived, handed over when it is wanted, as a stream of Node does. */
class ArrivedFile implements FileSource {
  readonly #listeners = new Listeners()
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #ended: () => void
  #isPaused = false
  #step: 'data' | 'end' | 'over' = 'data'

  constructor(bytes: Uint8Array<ArrayBuffer>, ended: () => void) {
    this.#bytes = bytes
    this.#ended = ended
  }

  on(event: string, listener: unknown): void {
    this.#listeners.on(event, listener)
    if (event === 'data' && !this.#isPaused) this.resume()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    // The listeners of a file are added one after the other.
    queueMicrotask(() => this.#flow())
  }

  #flow(): void {
    if (this.#step === 'data' && !this.#isPaused) {
      this.#step = 'end'
      if (this.#bytes.length > 0) this.#listeners.emit('data', this.#bytes)
    }
    if (this.#step === 'end' && !this.#isPaused) {
      this.#step = 'over'
      this.#listeners.emit('end')
      this.#ended()
    }
  }
}

/**
 * Parses a form as the platform does (`Response.formData`), when all of it has arrived: parsers of streams need those of
 * Node. So `bodyLimit` limits the whole form.
 *
 * @throws `TypeError` without a boundary in the content type
 */
export class PlatformFormParser implements FormParser {
  readonly writableLength = 0
  readonly #options: ConstructorParameters<FormParserClass>[0]
  readonly #listeners = new Listeners()
  readonly #chunks: Uint8Array<ArrayBuffer>[] = []

  constructor(options: ConstructorParameters<FormParserClass>[0]) {
    if (!/;\s*boundary=./i.test(options.headers['content-type'])) throw new TypeError('no boundary')
    this.#options = options
  }

  on(event: string, listener: unknown): void {
    this.#listeners.on(event, listener)
  }

  write(chunk: Uint8Array): boolean {
    this.#chunks.push(new Uint8Array(chunk))
    return true
  }

  end(): void {
    this.#parse().then(
      () => this.#listeners.emit('finish'),
      (error: unknown) => this.#listeners.emit('error', error),
    )
  }

  async #parse(): Promise<void> {
    const { headers, limits } = this.#options
    const parts = [...(await new Response(new Blob(this.#chunks), { headers }).formData())]
    if (parts.length > limits.parts) {
      this.#listeners.emit('partsLimit')
      return
    }
    for (const [name, value] of parts) await this.#emitPart(name, value)
  }

  async #emitPart(name: string, value: string | File): Promise<void> {
    const isText = typeof value === 'string'
    const type = isText ? 'text/plain' : value.type
    const filename = isText ? undefined : value.name
    if (this.#options.isPartAFile(name, type, filename)) {
      const bytes = new Uint8Array(await new Response(value).arrayBuffer())
      await new Promise<void>((resolve) => {
        this.#listeners.emit('file', name, new ArrivedFile(bytes, resolve), filename, '7bit', type)
      })
    } else {
      const text = isText ? value : await value.text()
      this.#listeners.emit('field', name, text, false, false, '7bit', type)
    }
  }
}
