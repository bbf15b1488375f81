import { ContentWriter } from '@cloister/wire/message'
import type { Framing } from '@cloister/wire/message'

import { prematureClose } from '../../exchange/outcome.ts'
import type { FetchResponse } from './fetch-response.ts'
import type { HeadInit } from './response-init.ts'

/**
 * Writes the content of a response to a web stream that the platform reads. The `Response` is made with the first piece,
 * so that a source that fails before can still become an error response. A piece is taken when the platform asks for it.
 */
export class FetchWriter extends ContentWriter {
  readonly #response: FetchResponse
  readonly #head: HeadInit
  readonly #hasContent: boolean
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #whenDrained: (() => void) | null = null

  constructor(response: FetchResponse, head: HeadInit, framing: Framing) {
    super(framing)
    this.#response = response
    this.#head = head
    this.#hasContent = framing.by !== 'none'
    response.writer = this
    response.onEnd((outcome) => {
      if (outcome !== null) this.#controller?.error(outcome)
    })
  }

  protected override mayWrite(): boolean {
    const { turn, writer } = this.#response
    return writer === this && !turn.isOver
  }

  protected override writeHead(): void {
    this.#response.begin(this.#head, this.#hasContent ? this.#createStream() : null)
  }

  #createStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          const callback = this.#whenDrained
          this.#whenDrained = null
          callback?.()
        },
        cancel: () => this.#response.end(prematureClose()),
      },
      { highWaterMark: 0 },
    )
  }

  protected override writePiece(piece: Uint8Array): boolean {
    this.#controller?.enqueue(piece)
    return (this.#controller?.desiredSize ?? 1) > 0
  }

  protected override finish(): void {
    this.#controller?.close()
    this.#response.end(null)
  }

  override whenDrained(callback: () => void): void {
    this.#whenDrained = callback
  }

  override cut(): void {
    this.#response.end(prematureClose())
  }
}
