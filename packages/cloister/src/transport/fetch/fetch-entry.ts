import type { AppPhase } from '../../context/services.ts'
import { createError } from '../../errors.ts'
import { prematureClose } from '../../exchange/outcome.ts'
import type { Intake } from '../../request/intake.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { FetchResponse } from './fetch-response.ts'
import type { FetchPlatform } from './platform.ts'

/** What the entry needs of its app. */
export interface FetchHost {
  readonly phase: AppPhase
  readonly intake: Intake
  readonly isClosing: boolean
}

/** Where requests of the web platform come in. It stands beside the transport of the app; both may be used. */
export class FetchEntry {
  readonly #app: FetchHost
  /** the responses that have been waited for in a later turn of the event loop */
  readonly #open = new Set<FetchResponse>()
  /** the requests of this turn that were not answered at once; most are before it ends */
  #recent: { readonly signal: AbortSignal; readonly response: FetchResponse }[] = []
  #drained: (() => void) | null = null

  constructor(app: FetchHost) {
    this.#app = app
  }

  /**
   * Answers one request; boots the app first.
   *
   * @param boot - boots the app, or waits until it has booted
   * @throws `CLO_ERR_REOPENED_CLOSE_SERVER` when the app was closed before it booted; what failed the boot; the reason
   * of the signal when the client goes away before the response has begun
   */
  async fetch(request: Request, platform: FetchPlatform, boot: () => Promise<unknown>): Promise<Response> {
    const { phase } = this.#app
    if (phase === 'loading' || phase === 'starting') {
      if (this.#app.isClosing) throw createError('REOPENED_CLOSE_SERVER', {})
      await boot()
    }
    const response = new FetchResponse()
    this.#app.intake.receive(new FetchExchange(request, response, platform), this.#app.phase)
    if (response.outcome === undefined) this.#expect(request.signal, response)
    return response.settled()
  }

  /** Listening to a signal costs as much as a short request, so that it begins in the next turn. */
  #expect(signal: AbortSignal, response: FetchResponse): void {
    this.#recent.push({ signal, response })
    if (this.#recent.length === 1) setTimeout(() => this.#keepRecent(), 0)
  }

  #keepRecent(): void {
    const recent = this.#recent
    this.#recent = []
    for (const { signal, response } of recent)
      if (response.outcome === undefined) this.#keep(signal, response)
  }

  /** A request that takes longer can be aborted, and closing waits for it. */
  #keep(signal: AbortSignal, response: FetchResponse): void {
    const abort = (): void => response.end(reasonOf(signal))
    if (signal.aborted) {
      abort()
      return
    }
    this.#open.add(response)
    signal.addEventListener('abort', abort, { once: true })
    response.onEnd(() => {
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

/** The reason of an abort as the outcome of an exchange; the core asks it whether the client went away. */
function reasonOf(signal: AbortSignal): Error {
  const cause: unknown = signal.reason
  return Object.assign(prematureClose(), { cause })
}
