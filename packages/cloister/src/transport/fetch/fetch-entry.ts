import { createError } from '../../errors.ts'
import { prefixCode } from '../../error-prefix.ts'
import { wrapThrown } from '../../read-error.ts'
import { look } from '../../foreign.ts'
import { typeName } from '../../guards.ts'
import type { BootApp, TransportHost } from '../transport.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { OpenResponses } from './open-responses.ts'
import type { FetchPlatform } from './fetch-context.ts'

/** Receives requests of the web platform. An app may use it together with its transport. */
export class FetchEntry {
  readonly #app: TransportHost
  readonly #open = new OpenResponses()

  constructor(app: TransportHost) {
    this.#app = app
  }

  /**
   * Handles one request. Boots the app first.
   *
   * @param boot - boots the app, or waits until it has booted
   * @throws `CLO_ERR_FETCH_REQUEST_INVALID` for any value except a `Request`, such as a URL
   * @throws `CLO_ERR_REOPENED_CLOSE_SERVER` if the app was closed before it booted; also throws the error of a failed
   * boot, and the reason of the signal if the client disconnects before the response has begun
   */
  fetch(request: Request, platform: FetchPlatform, boot: BootApp): Promise<Response> {
    const { phase } = this.#app
    // Each `async` function costs turns of the microtask queue, so only the first requests use one.
    if (phase === 'loading' || phase === 'starting') return this.#afterBoot(request, platform, boot)
    return this.#receive(request, platform)
  }

  async #afterBoot(request: Request, platform: FetchPlatform, boot: BootApp): Promise<Response> {
    if (this.#app.isClosing) throw this.#prefixed(createError('REOPENED_CLOSE_SERVER', {}))
    await boot()
    return this.#receive(request, platform)
  }

  #receive(request: Request, platform: FetchPlatform): Promise<Response> {
    let exchange: FetchExchange
    try {
      exchange = new FetchExchange(request, platform)
      this.#app.intake.receive(exchange, this.#app.phase, platform.route ?? null)
    } catch (error) {
      // Any implementation of `Request` has this member.
      if (typeof look(request, 'url') === 'string') return Promise.reject(wrapThrown(error))
      return Promise.reject(this.#prefixed(createError('FETCH_REQUEST_INVALID', { type: typeName(request) })))
    }
    if (!exchange.turn.isOver) this.#open.expect(exchange)
    return exchange.settled()
  }

  #prefixed(error: Error): Error {
    return prefixCode(error, this.#app.options)
  }

  /**
   * Waits for the requests in flight.
   *
   * @param graceMs - the longest wait, after which the remaining requests are aborted; 0 means no limit
   */
  drain(graceMs: number): Promise<void> {
    return this.#open.drain(graceMs)
  }
}
