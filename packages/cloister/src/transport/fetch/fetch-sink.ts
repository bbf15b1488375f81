import { Writable } from 'node:stream'

import { prematureClose } from '../../exchange/outcome.ts'
import type { FetchResponse } from './fetch-response.ts'
import type { HeadInit } from './response-init.ts'

/** Takes the content of a stream; the head goes out with the first chunk, or at the end. */
export class FetchSink extends Writable {
  readonly #response: FetchResponse
  readonly #head: HeadInit
  readonly #source: ContentSource

  constructor(response: FetchResponse, head: HeadInit) {
    super()
    this.#response = response
    this.#head = head
    this.#source = new ContentSource(() => response.end(prematureClose()))
    response.onEnd((outcome) => {
      if (outcome === null) return
      this.#source.fail(outcome)
      this.destroy()
    })
  }

  /** Nothing asks for it: a transport without trailers refuses them when they are added. */
  addTrailers(): void {}

  override _write(chunk: Uint8Array, _encoding: string, written: () => void): void {
    this.#begin()
    this.#source.write(chunk, written)
  }

  override _final(ended: () => void): void {
    this.#begin()
    this.#source.close()
    this.#response.end(null)
    ended()
  }

  #begin(): void {
    if (this.#response.response !== null) return
    this.#response.begin(this.#head, new ReadableStream<Uint8Array>(this.#source))
  }
}

/** What a web stream pulls from: it holds at most what its queue has asked for. */
class ContentSource {
  /** called by the stream when its reader wants no more */
  readonly cancel: () => void
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #written: (() => void) | null = null

  constructor(cancel: () => void) {
    this.cancel = cancel
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller
  }

  pull(): void {
    const written = this.#written
    this.#written = null
    written?.()
  }

  /** @param written - called when the reader wants more */
  write(chunk: Uint8Array, written: () => void): void {
    const controller = this.#controller
    controller?.enqueue(chunk)
    if ((controller?.desiredSize ?? 0) > 0) written()
    else this.#written = written
  }

  close(): void {
    this.#controller?.close()
  }

  fail(error: Error): void {
    this.#controller?.error(error)
  }
}
