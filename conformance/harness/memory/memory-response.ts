import { CUT, LOST, SENT, WAITING, WRITING } from '@cloister/wire/message'
import type { Outcome, ResponseHeaders, Turn } from '../../../packages/cloister/src/exchange/exchange.ts'

/** Status and headers of a response. */
export interface Head {
  readonly status: number
  readonly headers: ResponseHeaders
}

/** A response in memory: what has been written, and the callbacks for its end. */
export class MemoryResponse {
  /** `null` until the head is written */
  head: Head | null = null
  readonly content: Uint8Array[] = []
  readonly hints: Readonly<Record<string, string | string[]>>[] = []
  trailers: Readonly<Record<string, string>> = {}
  /** `undefined` while the exchange is open */
  outcome: Outcome | undefined
  /** the writer of the content that may begin */
  writer: object | null = null
  readonly #callbacks: ((outcome: Outcome) => void)[] = []

  /** What the exchange may do now. */
  get turn(): Turn {
    const { outcome, head } = this
    if (outcome === undefined) return head === null ? WAITING : WRITING
    if (outcome === null) return SENT
    return head === null ? LOST : CUT
  }

  writeHead(head: Head): void {
    this.head ??= head
  }

  write(chunk: string | Uint8Array): void {
    if (this.outcome === undefined) this.content.push(Buffer.from(chunk))
  }

  /** Ends the exchange, and calls the callbacks for its end later, once. */
  end(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    for (const callback of this.#callbacks) queueMicrotask(() => callback(outcome))
  }

  onEnd(callback: (outcome: Outcome) => void): void {
    const { outcome } = this
    if (outcome === undefined) this.#callbacks.push(callback)
    else queueMicrotask(() => callback(outcome))
  }
}
