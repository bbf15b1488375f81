import { Writable } from 'node:stream'

import type { ContentWriter, Trailers } from '../message/content-writer.ts'

/**
 * Turns a content writer into a stream, for sources that pipe. It emits `error` when the content does not have the
 * declared length; by then the connection has been cut.
 */
export class ResponseSink extends Writable {
  readonly #writer: ContentWriter
  #trailers: Trailers | null = null

  constructor(writer: ContentWriter, highWaterMark: number) {
    super({ highWaterMark })
    this.#writer = writer
    // A response that is cut must not end the process.
    this.on('error', () => {})
  }

  /** Sets the trailers (RFC 9112 section 7.1.2); the response must have been opened with trailers. */
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

  /** Cuts the response, because the code that pipes into this has no other one to send. */
  #fail(thrown: unknown): Error {
    this.#writer.cut()
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}
