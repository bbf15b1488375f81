import type { AppPhase } from '../../context/services.ts'
import { createError } from '../../errors.ts'
import type { Intake } from '../../request/intake.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { FetchResponse } from './fetch-response.ts'
import { OpenResponses } from './open-responses.ts'
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
  readonly #open = new OpenResponses()

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
    if (response.outcome === undefined) this.#open.expect(request.signal, response)
    return response.settled()
  }

  /**
   * Waits for the requests in flight.
   *
   * @param graceMs - for how long; what is left then is aborted. 0 for any time
   */
  drain(graceMs: number): Promise<void> {
    return this.#open.drain(graceMs)
  }
}
