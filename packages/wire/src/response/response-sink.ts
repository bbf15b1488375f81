import { Writable } from 'node:stream'

import type { ContentWriter, Trailers } from '../message/content-writer.ts'

/**
 * A content writer in the shape of a stream, for sources that pipe. It emits `error` when the content does not have the
 * declared length; the connection has been cut by then.
 */
export class ResponseSink extends Writable {
  readonly #writer: ContentWriter
  #trailers: Trailers | null = null

  constructor(writer: ContentWriter, highWaterMark: number) {
    super({ highWaterMark })
    this.#writer = writer
    // A response that breaks off must not end the process.
    this.on('error', () => {})
  }

  /** Sets the trailers (RFC 9112 section 7.1.2); only a response that was opened with trailers has a place for them. */
  addTrailers(fields: Trailers): void {
    this.#trailers = fields
  }

  override _write(chunk: Uint8Array, _encoding: string, written: (error?: Error) => void): void {
    try {
      if (this.#writer.write(chunk)) written()
      else this.#writer.whenDrained(written)
    } catch (error) {
      written(this.#fail(error))
    }
  }

  override _final(ended: (error?: Error) => void): void {
    try {
      this.#writer.end(this.#trailers)
      ended()
    } catch (error) {
      ended(this.#fail(error))
    }
  }

  /** The code that pipes into it has no other response to send. */
  #fail(thrown: unknown): Error {
    this.#writer.cut()
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}
