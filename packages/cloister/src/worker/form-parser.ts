import { ByteCollector } from '../byte-collector.ts'
import type { FormParser, FormParserClass } from '../dependencies.ts'
import { Emitter } from '../exchange/emitter.ts'
import { PlatformStream } from './platform-stream.ts'

type Options = ConstructorParameters<FormParserClass>[0]

/**
 * Parses a form with the platform's `Response.formData` after all of it has arrived, because streaming parsers need
 * Node's streams. Therefore `bodyLimit` limits the whole form.
 *
 * @throws `TypeError` if the content type has no boundary
 */
export class PlatformFormParser extends Emitter implements FormParser {
  readonly writableLength = 0
  readonly #options: Options
  readonly #content = new ByteCollector<ArrayBuffer>()

  constructor(options: Options) {
    super()
    if (!/;\s*boundary=./i.test(options.headers['content-type'])) throw new TypeError('no boundary')
    this.#options = options
  }

  write(chunk: Uint8Array): boolean {
    this.#content.add(new Uint8Array(chunk))
    return true
  }

  end(): void {
    this.#parse().then(
      () => this.emit('finish'),
      (error: unknown) => this.emit('error', error),
    )
  }

  async #parse(): Promise<void> {
    const { headers, limits } = this.#options
    const parts = [...(await new Response(new Blob(this.#content.take()), { headers }).formData())]
    if (parts.length > limits.parts) {
      this.emit('partsLimit')
      return
    }
    for (const [name, value] of parts) await this.#emitPart(name, value)
  }

  async #emitPart(name: string, value: string | File): Promise<void> {
    const isText = typeof value === 'string'
    const type = isText ? 'text/plain' : value.type
    const filename = isText ? undefined : value.name
    if (!this.#options.isPartAFile(name, type, filename)) {
      const text = isText ? value : await value.text()
      this.emit('field', name, text, false, false, '7bit', type)
      return
    }
    const file = new PlatformStream(new Blob([value]).stream())
    const ended = new Promise((resolve) => {
      file.on('end', resolve)
    })
    this.emit('file', name, file, filename, '7bit', type)
    await ended
  }
}
