import type { FileSource } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import type { FormFile } from '../../types/forms.ts'

/**
 * A file that its reader gets while it arrives. Nothing is read from the network while the reader waits.
 *
 * Its content ends when the form has gone on without a fault, so that a reader who has seen the end has got a part of a
 * form that is valid up to there.
 */
export class StreamedFile implements FormFile {
  readonly name: string
  readonly type: string
  readonly #source: FileSource
  readonly #content: ReadableStream<Uint8Array>
  /** `null` when nothing more comes of the content */
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #isTaken = false
  /** the source has ended */
  #hasEnded = false
  /** the form has gone on */
  #mayEnd = false

  /** @param source - a stream that is paused */
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

  /** Reads over what is left of it. */
  skip(): void {
    this.#isTaken = true
    this.#controller = null
    this.#source.resume()
  }

  /** Reads over it, unless its content was asked for: then that is read first. */
  skipUnread(): void {
    if (!this.#isTaken) this.skip()
  }

  /** The form has gone on. */
  release(): void {
    this.#mayEnd = true
    this.#close()
  }

  /** Ends it with an error. */
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

/** Files that come one after the other; what the loop has not read of one is skipped. */
export class StreamedFiles implements AsyncIterable<FormFile> {
  readonly #waiting: StreamedFile[] = []
  #wake: (() => void) | null = null
  /** the loop has ended */
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

  /** No more files follow: all is well, or the form has failed. */
  settle(end: { readonly thrown: unknown } | 'done'): void {
    this.#end ??= end
    this.#wake?.()
  }
}
