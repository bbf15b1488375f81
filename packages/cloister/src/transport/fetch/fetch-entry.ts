import { createError } from '../../errors.ts'
import { prefixed } from '../../error-prefix.ts'
import { wrapThrown } from '../../read-error.ts'
import { typeName } from '../../guards.ts'
import type { TransportHost } from '../transport.ts'
import { FetchExchange } from './fetch-exchange.ts'
import { OpenResponses } from './open-responses.ts'
import type { FetchPlatform } from './fetch-context.ts'

/** Where requests of the web platform come in. An app may use it and its transport at the same time. */
export class FetchEntry {
  readonly #app: TransportHost
  readonly #open = new OpenResponses()

  constructor(app: TransportHost) {
    this.#app = app
  }

  /**
   * Answers one request; boots the app first.
   *
   * @param boot - boots the app, or waits until it has booted
   * @throws `CLO_ERR_FETCH_REQUEST_INVALID` for anything but a `Request`, such as a URL
   * @throws `CLO_ERR_REOPENED_CLOSE_SERVER` when the app was closed before it booted; what failed the boot; the reason
   * of the signal when the client goes away before the response has begun
   */
  fetch(request: Request, platform: FetchPlatform, boot: () => Promise<unknown>): Promise<Response> {
    const { phase } = this.#app
    // Each `async` function on the way costs turns of the queue of microtasks, so that only the first requests take one.
    if (phase === 'loading' || phase === 'starting') return this.#afterBoot(request, platform, boot)
    return this.#receive(request, platform)
  }

  async #afterBoot(
    request: Request,
    platform: FetchPlatform,
    boot: () => Promise<unknown>,
  ): Promise<Response> {
    if (this.#app.isClosing) throw this.#prefixed(createError('REOPENED_CLOSE_SERVER', {}))
    await boot()
    return this.#receive(request, platform)
  }

  #receive(request: Request, platform: FetchPlatform): Promise<Response> {
    let exchange: FetchExchange
    try {
      exchange = new FetchExchange(request, platform)
      this.#app.intake.receive(exchange, this.#app.phase)
    } catch (error) {
      const given: unknown = request
      if (isRequest(given)) return Promise.reject(wrapThrown(error))
      return Promise.reject(this.#prefixed(createError('FETCH_REQUEST_INVALID', { type: typeName(given) })))
    }
    if (!exchange.ended) this.#open.expect(exchange)
    return exchange.settled()
  }

  #prefixed(error: Error): Error {
    return prefixed(error, this.#app.options.errorCodePrefix)
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

/** Whether a value has what is read of a request, of whichever implementation. */
function isRequest(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'url') === 'string'
}
