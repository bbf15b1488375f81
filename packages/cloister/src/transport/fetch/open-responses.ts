import { prematureClose } from '@cloister/wire/message/internal'

import type { FetchExchange } from './fetch-exchange.ts'

/** The number of responses to collect before completed ones are removed. */
const FEW = 64

/** The incomplete responses of an app. Their clients may disconnect, and closing the app waits for them. */
export class OpenResponses {
  /** the responses that were incomplete after a turn of the event loop */
  readonly #open = new Set<FetchExchange>()
  /** requests of this turn without a response; most get one before the turn ends */
  #recent: FetchExchange[] = []
  #most = FEW
  #isScheduled = false
  #drained: (() => void) | null = null

  /** Listening to a signal costs as much as a short request, so it starts in the next turn. */
  expect(response: FetchExchange): void {
    this.#recent.push(response)
    if (!this.#isScheduled) {
      this.#isScheduled = true
      setTimeout(() => this.#keepRecent(), 0)
    } else if (this.#recent.length === this.#most) {
      // Requests that follow each other directly can make a turn long.
      this.#recent = this.#recent.filter(isOpen)
      this.#most = Math.max(FEW, this.#recent.length * 2)
    }
  }

  #keepRecent(): void {
    const recent = this.#recent
    this.#recent = []
    this.#most = FEW
    this.#isScheduled = false
    for (const response of recent) if (isOpen(response)) this.keep(response)
  }

  /** Lets the client abort a longer request, and lets closing wait for it. */
  keep(response: FetchExchange): void {
    const { signal } = response.request
    const abort = (): void => response.end(reasonOf(signal))
    if (signal.aborted) {
      abort()
      return
    }
    this.#open.add(response)
    signal.addEventListener('abort', abort)
    response.onFinished(() => {
      signal.removeEventListener('abort', abort)
      this.#open.delete(response)
      if (this.#open.size === 0) this.#drained?.()
    })
  }

  /**
   * Waits for the requests in flight.
   *
   * @param graceMs - the longest wait, after which the remaining requests are aborted; 0 means no limit
   */
  async drain(graceMs: number): Promise<void> {
    this.#keepRecent()
    if (this.#open.size === 0) return
    const drained = new Promise<void>((resolve) => {
      this.#drained = resolve
    })
    const cut = (): void => {
      for (const response of this.#open) response.end(prematureClose())
    }
    const timer = graceMs === 0 ? undefined : setTimeout(cut, graceMs)
    await drained
    clearTimeout(timer)
  }
}

function isOpen({ outcome }: FetchExchange): boolean {
  return outcome === undefined
}

/** Returns the reason of an abort as the outcome of an exchange. The core recognises it as a disconnected client. */
function reasonOf(signal: AbortSignal): Error {
  const cause: unknown = signal.reason
  return Object.assign(prematureClose(), { cause })
}
