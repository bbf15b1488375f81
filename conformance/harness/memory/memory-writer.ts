import { ContentWriter } from '@cloister/wire/message'
import { prematureClose } from '@cloister/wire/message/internal'
import type { Framing, Trailers } from '@cloister/wire/message'
import type { Head, MemoryResponse } from './memory-response.ts'

/** Collects the content of a stream; the client reads after each piece, so that all streams get back-pressure. */
export class MemoryWriter extends ContentWriter {
  readonly #response: MemoryResponse
  readonly #head: Head

  constructor(response: MemoryResponse, head: Head, framing: Framing) {
    super(framing)
    this.#response = response
    this.#head = head
    response.writer = this
  }

  protected override mayWrite(): boolean {
    const { turn, writer } = this.#response
    return writer === this && !turn.isOver
  }

  protected override writeHead(): void {
    this.#response.writeHead(this.#head)
  }

  protected override writePiece(piece: Uint8Array): boolean {
    this.#response.write(piece)
    return false
  }

  override whenDrained(callback: () => void): void {
    setImmediate(callback)
  }

  protected override finish(trailers: Trailers | null): void {
    if (trailers !== null) this.#response.trailers = trailers
    this.#response.end(null)
  }

  override cut(): void {
    this.#response.end(prematureClose())
  }
}
