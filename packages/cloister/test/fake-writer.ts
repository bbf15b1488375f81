// A writer without a transport, which notes what is written, and whose client reads when it is told to.
import { ContentWriter } from '@cloister/wire/message'
import type { Framing, Trailers } from '@cloister/wire/message'

const CHUNKED: Framing = { by: 'chunked', length: null, contradiction: null }

export class FakeWriter extends ContentWriter {
  readonly pieces: string[] = []
  trailers: Trailers | null = null
  hasBegun = false
  isEnded = false
  /** another response has taken the place of this one, or its client has gone */
  isLost = false
  isCut = false
  /** the client reads as soon as something is written */
  readsAtOnce = true
  #whenDrained: (() => void) | null = null

  constructor(framing: Framing = CHUNKED) {
    super(framing)
  }

  get isWaited(): boolean {
    return this.#whenDrained !== null
  }

  drain(): void {
    const callback = this.#whenDrained
    this.#whenDrained = null
    callback?.()
  }

  override whenDrained(callback: () => void): void {
    this.#whenDrained = callback
  }

  override cut(): void {
    this.isCut = true
  }

  protected override mayWrite(): boolean {
    return !this.isLost
  }

  protected override writeHead(): void {
    this.hasBegun = true
  }

  protected override writePiece(piece: Uint8Array): boolean {
    this.pieces.push(Buffer.from(piece).toString())
    return this.readsAtOnce
  }

  protected override finish(trailers: Trailers | null): void {
    this.trailers = trailers
    this.isEnded = true
  }
}

/** Lets everything that is under way happen. */
export async function turns(count = 10): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}
