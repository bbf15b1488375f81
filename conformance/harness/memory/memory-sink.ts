import { Writable } from 'node:stream'

import type { Head, MemoryResponse } from './memory-response.ts'

/** Few bytes, so that most streams meet back-pressure. */
const HIGH_WATER_MARK = 64

/** Takes the content of a stream; the head is written with the first chunk, or at the end. */
export class MemorySink extends Writable {
  readonly #response: MemoryResponse
  readonly #head: Head

  constructor(response: MemoryResponse, head: Head) {
    super({ highWaterMark: HIGH_WATER_MARK })
    this.#response = response
    this.#head = head
    response.onEnd((outcome) => {
      if (outcome !== null) this.destroy()
    })
  }

  addTrailers(fields: Readonly<Record<string, string>>): void {
    this.#response.trailers = fields
  }

  override _write(chunk: Uint8Array, _encoding: string, written: () => void): void {
    this.#response.writeHead(this.#head.status, this.#head.headers)
    this.#response.write(chunk)
    setImmediate(written)
  }

  override _final(ended: () => void): void {
    this.#response.writeHead(this.#head.status, this.#head.headers)
    this.#response.end(null)
    ended()
  }
}
