import type { CallbackFunc, Chain, DispatchFunc, InjectOptions } from 'light-my-request'

import { dependencies } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import { prefixCode } from '../../error-prefix.ts'
import { isRecord } from '../../guards.ts'
import { Clock } from './inject-response.ts'
import type { TransportHost } from '../transport.ts'
import { InjectChain } from './inject-chain.ts'
import { InjectExchange } from './inject-exchange.ts'
import { readInjectedRequest } from './injected-request.ts'

type BootApp = () => Promise<unknown>

/** Receives requests without a connection. */
export class InjectEntry {
  readonly #app: TransportHost
  readonly #handle: DispatchFunc
  readonly #clock = new Clock()

  /** @param handle - handles Node's objects, for requests that need them from the start */
  constructor(app: TransportHost, handle: DispatchFunc) {
    this.#app = app
    this.#handle = handle
  }

  /**
   * Sends one request.
   *
   * @param boot - boots the app, or waits until it has booted
   * @returns a chain that can be extended and awaited; `undefined` with a callback
   */
  inject(
    options: InjectOptions | string,
    callback: CallbackFunc | undefined,
    boot: BootApp,
  ): Chain | undefined {
    if (callback === undefined) {
      return new InjectChain((given, settle) => this.#send(given, settle, boot), options)
    }
    // Throws synchronously for invalid options.
    this.#send(typeof options === 'string' ? { url: options } : options, callback, boot)
    return undefined
  }

  #send(options: InjectOptions, settle: CallbackFunc, boot: BootApp): void {
    const request = isRecord(options) ? readInjectedRequest(options) : null
    if (request === null) this.#sendByNode(options, settle, boot)
    else {
      const exchange = new InjectExchange(request, this.#clock, settle)
      const fail = (error: Error): void => process.nextTick(settle, error, null)
      this.#whenReady(boot, () => this.#app.intake.receive(exchange, this.#app.phase), fail)
    }
  }

  /** `light-my-request` creates Node's objects immediately, and reports invalid options. */
  #sendByNode(options: InjectOptions, settle: CallbackFunc, boot: BootApp): void {
    const dispatch: DispatchFunc = (request, response) => {
      const fail = (error: unknown): void => void response.emit('error', error)
      this.#whenReady(boot, () => this.#handle(request, response), fail)
    }
    dependencies.lightMyRequest()(dispatch, options, settle)
  }

  #whenReady(boot: BootApp, run: () => void, fail: (error: Error) => void): void {
    const { isClosing, options, phase } = this.#app
    if (isClosing) fail(prefixCode(createError('REOPENED_CLOSE_SERVER', {}), options.errorCodePrefix))
    else if (phase === 'ready') run()
    else boot().then(run, fail)
  }
}
