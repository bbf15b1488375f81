import { prematureClose } from '@cloister/wire/message'

import type { FetchResponse } from './fetch-response.ts'

/** So many responses are remembered before those that are complete are forgotten. */
const FEW = 64

/** The responses of an app that are not complete: their clients may go away, and closing waits for them. */
export class OpenResponses {
  /** the responses that have been waited for in a later turn of the event loop */
  readonly #open = new Set<FetchResponse>()
  /** requests without a response so far that came in this turn; most get one before it ends */
  #recent: FetchResponse[] = []
  #most = FEW
  #isScheduled = false
  #drained: (() => void) | null = null

  /** Listening to a signal costs as much as a short request, so that it begins in the next turn. */
  expect(response: FetchResponse): void {
    this.#recent.push(response)
    if (!this.#isScheduled) {
      this.#isScheduled = true
      setTimeout(() => this.#keepRecent(), 0)
    } else if (this.#recent.length === this.#most) {
      // A turn can be as long as its requests follow each other.
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

  /** A request that takes longer can be aborted, and closing waits for it. */
  keep(response: FetchResponse): void {
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
   * @param graceMs - for how long; what is left then is aborted. 0 for any time
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

function isOpen({ outcome }: FetchResponse): boolean {
  return outcome === undefined
}

/** The reason of an abort as the outcome of an exchange; the core asks it whether the client went away. */
function reasonOf(signal: AbortSignal): Error {
  const cause: unknown = signal.reason
  return Object.assign(prematureClose(), { cause })
}
