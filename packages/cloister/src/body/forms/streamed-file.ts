import type { FileSource } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import type { FormFile } from '../../types/forms.ts'

/**
 * A file that the handler reads while it arrives. Nothing is read from the network while the handler waits.
 *
 * The content ends only after the parser has read past the file without an error. A handler that has read to the end
 * therefore has a part of a form that is valid so far.
 */
export class StreamedFile implements FormFile {
  readonly name: string
  readonly type: string
  readonly #source: FileSource
  readonly #content: ReadableStream<Uint8Array>
  /** `null` once the content has ended or is skipped */
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #isTaken = false
  #hasEnded = false
  /** the parser has read past the file */
  #mayEnd = false

  /** @param source - a paused stream */
  constructor(name: string, type: string, source: FileSource) {
    this.name = name
    this.type = type
    this.#source = source
    this.#content = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => void source.resume(),
        cancel: () => this.skip(),
      },
      { highWaterMark: 0 },
    )
    source.on('data', (chunk) => {
      if (this.#controller === null) return
      this.#controller.enqueue(chunk)
      source.pause()
    })
    source.on('end', () => {
      this.#hasEnded = true
      this.#close()
    })
  }

  stream(): ReadableStream<Uint8Array> {
    if (this.#isTaken) throw createError('FORM_FILE_READ', { name: this.name })
    this.#isTaken = true
    return this.#content
  }

  async text(): Promise<string> {
    return new Response(this.stream()).text()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(this.stream()).arrayBuffer()
  }

  skip(): void {
    this.#isTaken = true
    this.#controller = null
    this.#source.resume()
  }

  /** Discards the file unless the handler has taken its content. */
  skipUnread(): void {
    if (!this.#isTaken) this.skip()
  }

  /** The parser has read past the file. */
  release(): void {
    this.#mayEnd = true
    this.#close()
  }

  fail(thrown: unknown): void {
    this.#controller?.error(thrown)
    this.#controller = null
  }

  #close(): void {
    if (!this.#hasEnded || !this.#mayEnd) return
    this.#controller?.close()
    this.#controller = null
  }
}

/** Files in the order of the form. The rest of a file that the loop does not read is skipped. */
export class StreamedFiles implements AsyncIterable<FormFile> {
  readonly #waiting: StreamedFile[] = []
  #wake: (() => void) | null = null
  #isOver = false
  #end: { readonly thrown: unknown } | 'done' | null = null

  async *[Symbol.asyncIterator](): AsyncGenerator<FormFile, void> {
    try {
      while (true) {
        const file = this.#waiting.shift()
        if (file !== undefined) {
          yield file
          file.skipUnread()
        } else if (this.#end === 'done') return
        else if (this.#end !== null) throw this.#end.thrown
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
      }
    } finally {
      this.#isOver = true
      for (const file of this.#waiting) file.skipUnread()
    }
  }

  add(file: StreamedFile): void {
    if (this.#isOver) file.skipUnread()
    else this.#waiting.push(file)
    this.#wake?.()
  }

  /** Ends the list, with the error of the form if it failed. */
  settle(end: { readonly thrown: unknown } | 'done'): void {
    this.#end ??= end
    this.#wake?.()
  }
}
