import type {
  CallbackFunc,
  Chain,
  DispatchFunc,
  InjectOptions,
  Response as InjectResponse,
} from 'light-my-request'

import { CallSite } from '../../call-site.ts'
import { dependencies } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import { prefixCode } from '../../error-prefix.ts'
import { isFunction, isRecord } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import { Clock } from './inject-response.ts'
import type { BootApp, TransportHost } from '../transport.ts'
import { InjectExchange } from './inject-exchange.ts'
import { readInjectedRequest, withJoinedLists } from './injected-request.ts'
import { writeAsServer } from './written-response.ts'

/** Sends a request. Throws for invalid options. */
type SendInjected = (options: InjectOptions, settle: CallbackFunc) => void

const METHODS = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'trace'] as const
const PARTS = ['body', 'cookies', 'headers', 'payload', 'query'] as const
const OF_PROMISE = ['then', 'catch', 'finally'] as const

/** The methods that set method and URL, or one part of the request, and those that send it and wait. */
interface InjectChain extends Pick<Chain, (typeof METHODS | typeof PARTS | typeof OF_PROMISE)[number]> {}

/** A request builder. The request is sent when it is awaited, by `end`, or otherwise in the next tick. */
class InjectChain implements Chain {
  readonly #send: SendInjected
  readonly #options: InjectOptions
  #isSent = false
  #promise: Promise<InjectResponse> | null = null

  static {
    const define = (name: string, run: (chain: InjectChain, args: readonly unknown[]) => unknown): void => {
      const value = function (this: InjectChain, ...args: unknown[]): unknown {
        return run(this, args)
      }
      Object.defineProperty(this.prototype, name, { value, writable: true, configurable: true })
    }
    for (const method of METHODS)
      define(method, (chain, [url]) => chain.#set({ method: method.toUpperCase(), url }))
    for (const part of PARTS) define(part, (chain, [value]) => chain.#set({ [part]: value }))
    for (const name of OF_PROMISE) {
      define(name, (chain, callbacks) => {
        const sent = chain.#promise ?? chain.end()
        return Reflect.apply(sent[name], sent, callbacks)
      })
    }
  }

  constructor(send: SendInjected, options: InjectOptions | string) {
    this.#send = send
    this.#options = typeof options === 'string' ? { url: options } : { ...options }
    if (this.#options.autoStart === false) return
    process.nextTick(() => {
      if (!this.#isSent) void this.end()
    })
  }

  get [Symbol.toStringTag](): string {
    return 'InjectChain'
  }

  end(): Promise<InjectResponse>
  end(callback: CallbackFunc): void
  end(callback?: CallbackFunc): Promise<InjectResponse> | undefined {
    this.#assertOpen()
    this.#isSent = true
    if (typeof callback === 'function') {
      this.#send(this.#options, callback)
      return undefined
    }
    this.#promise = new Promise((resolve, reject) => {
      this.#send(this.#options, (error, response) => {
        if (response === undefined || response === null) reject(error)
        else resolve(response)
      })
    })
    return this.#promise
  }

  #set(options: object): this {
    this.#assertOpen()
    Object.assign(this.#options, options)
    return this
  }

  /** @throws `CLO_ERR_INJECT_SENT` */
  #assertOpen(): void {
    if (this.#isSent) throw createError('INJECT_SENT', {})
  }
}

/** Options of other clients, and the option that they have here. */
const OF_OTHERS = {
  json: 'payload',
  data: 'payload',
  form: 'payload',
  querystring: 'query',
  searchParams: 'query',
  params: 'query',
  qs: 'query',
  uri: 'url',
} as const

/** Warns of options under the names of other clients, without which the request is another one. */
function warnOfOthers(options: object): void {
  for (const [name, instead] of Object.entries(OF_OTHERS))
    if (name in options) warn('INJECT_OPTION_UNREAD', { name, instead, callSite: new CallSite(warnOfOthers) })
}

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
    if (isRecord(options)) warnOfOthers(options)
    if (callback === undefined) {
      return new InjectChain((given, settle) => this.#send(given, settle, boot), options)
    }
    if (!isFunction(callback)) throw createError('INJECT_CALLBACK_NOT_FN', { given: String(callback) })
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
      writeAsServer(response)
      const fail = (error: unknown): void => void response.emit('error', error)
      this.#whenReady(boot, () => this.#handle(request, response), fail)
    }
    dependencies.lightMyRequest()(dispatch, isRecord(options) ? withJoinedLists(options) : options, settle)
  }

  #whenReady(boot: BootApp, run: () => void, fail: (error: Error) => void): void {
    const { isClosing, options, phase } = this.#app
    if (isClosing) fail(prefixCode(createError('REOPENED_CLOSE_SERVER', {}), options))
    else if (phase === 'ready') run()
    else boot().then(run, fail)
  }
}
