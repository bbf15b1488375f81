import { prematureClose } from '@cloister/wire/message/internal'

import type { FetchExchange } from './fetch-exchange.ts'

/** The time in milliseconds after which a response counts as long. */
const LONG = 5

/** The incomplete responses of an app. Their clients may disconnect, and closing the app waits for them. */
export class OpenResponses {
  /** long responses */
  readonly #open = new Set<FetchExchange>()
  /** requests without a response; most get one before they are long */
  readonly #recent: FetchExchange[] = []
  #isScheduled = false
  #drained: (() => void) | null = null

  /** Listening to a signal costs as much as a short request, so it starts when a request is long. */
  expect(response: FetchExchange): void {
    if (this.#drained !== null) {
      this.keep(response)
      return
    }
    response.expectedBy = this
    response.expectedAt = this.#recent.length
    this.#recent.push(response)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setTimeout(() => this.#keepRecent(), LONG)
  }

  #keepRecent(): void {
    this.#isScheduled = false
    for (let response = this.#recent.pop(); response !== undefined; response = this.#recent.pop()) {
      response.expectedBy = null
      this.keep(response)
    }
  }

  /** Forgets a response that is complete: what a list refers to survives garbage collection, which takes time. */
  forget(response: FetchExchange): void {
    const last = this.#recent.pop()
    if (last === undefined || last === response) return
    this.#recent[response.expectedAt] = last
    last.expectedAt = response.expectedAt
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

/** Returns the reason of an abort as the outcome of an exchange. The core recognises it as a disconnected client. */
function reasonOf(signal: AbortSignal): Error {
  const cause: unknown = signal.reason
  return Object.assign(prematureClose(), { cause })
}
