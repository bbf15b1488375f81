import { WAITING } from '@cloister/wire/message/internal'
import type { ResponseHeaders, Turn } from '../../../packages/cloister/src/exchange/exchange.ts'
import type { Outcome } from '../../../packages/cloister/src/exchange/ends.ts'

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
  turn: Turn = WAITING
  readonly #callbacks: ((outcome: Outcome) => void)[] = []

  writeHead(head: Head): void {
    this.head ??= head
    this.turn = this.turn.next.begun
  }

  write(chunk: string | Uint8Array): void {
    if (this.outcome === undefined) this.content.push(Buffer.from(chunk))
  }

  /** Ends the exchange, and calls the callbacks for its end later, once. */
  end(outcome: Outcome): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.turn = this.turn.next[outcome === null ? 'completed' : 'gone']
    for (const callback of this.#callbacks) queueMicrotask(() => callback(outcome))
  }

  onEnd(callback: (outcome: Outcome) => void): void {
    const { outcome } = this
    if (outcome === undefined) this.#callbacks.push(callback)
    else queueMicrotask(() => callback(outcome))
  }
}
