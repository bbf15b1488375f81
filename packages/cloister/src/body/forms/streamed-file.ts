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
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #failure: { readonly thrown: unknown } | null = null
  #isTaken = false
  #isSkipped = false
  /** the source has ended */
  #hasEnded = false
  /** the form has gone on */
  #mayEnd = false

  /** @param source - a stream that is paused */
  constructor(name: string, type: string, source: FileSource) {
    this.name = name
    this.type = type
    this.#source = source
    source.on('data', (chunk) => {
      if (this.#controller === null || this.#failure !== null) return
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
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          if (this.#failure !== null) controller.error(this.#failure.thrown)
          else this.#close()
        },
        pull: () => void this.#source.resume(),
        cancel: () => this.skip(),
      },
      { highWaterMark: 0 },
    )
  }

  async text(): Promise<string> {
    return new Response(this.stream()).text()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return new Response(this.stream()).arrayBuffer()
  }

  /** Reads over what is left of it. */
  skip(): void {
    if (this.#isSkipped) return
    this.#isTaken = true
    this.#isSkipped = true
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
    if (this.#failure !== null) return
    this.#failure = { thrown }
    this.#controller?.error(thrown)
  }

  #close(): void {
    if (!this.#hasEnded || !this.#mayEnd || this.#failure !== null || this.#controller === null) return
    this.#controller.close()
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
      for (let file = await this.#next(); file !== null; file = await this.#next()) {
        yield file
        file.skipUnread()
      }
    } finally {
      this.#isOver = true
      for (const file of this.#waiting) file.skipUnread()
    }
  }

  async #next(): Promise<StreamedFile | null> {
    while (this.#waiting.length === 0) {
      if (this.#end === 'done') return null
      if (this.#end !== null) throw this.#end.thrown
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#waiting.shift() ?? null
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
