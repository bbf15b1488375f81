import type { CallbackFunc, Chain, InjectOptions, Response as InjectResponse } from 'light-my-request'

import { createError } from '../../errors.ts'

/** Sends a request. Throws for invalid options. */
export type SendInjected = (options: InjectOptions, settle: CallbackFunc) => void

const METHODS = ['delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'trace'] as const
const PARTS = ['body', 'cookies', 'headers', 'payload', 'query'] as const

/** The methods that set method and URL, or one part of the request. */
export interface InjectChain extends Pick<Chain, (typeof METHODS | typeof PARTS)[number]> {}

/** A request builder. The request is sent when it is awaited, by `end`, or otherwise in the next tick. */
export class InjectChain implements Chain {
  readonly #send: SendInjected
  readonly #options: InjectOptions
  #isSent = false
  #promise: Promise<InjectResponse> | null = null

  static {
    const set = (name: string, toOptions: (value: unknown) => object): void => {
      const value = function (this: InjectChain, given: unknown): InjectChain {
        return this.#set(toOptions(given))
      }
      Object.defineProperty(this.prototype, name, { value, writable: true, configurable: true })
    }
    for (const method of METHODS) set(method, (url) => ({ method: method.toUpperCase(), url }))
    for (const part of PARTS) set(part, (value) => ({ [part]: value }))
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
    if (typeof callback !== 'function') return this.#start()
    this.#send(this.#options, callback)
    return undefined
  }

  then<Fulfilled = InjectResponse, Rejected = never>(
    fulfilled?: ((response: InjectResponse) => Fulfilled | PromiseLike<Fulfilled>) | null,
    rejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#await().then(fulfilled, rejected)
  }

  catch<Rejected = never>(
    rejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<InjectResponse | Rejected> {
    return this.#await().catch(rejected)
  }

  finally(settled?: (() => void) | null): Promise<InjectResponse> {
    return this.#await().finally(settled)
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

  #await(): Promise<InjectResponse> {
    return this.#promise ?? this.end()
  }

  #start(): Promise<InjectResponse> {
    this.#promise = new Promise((resolve, reject) => {
      this.#send(this.#options, (error, response) => {
        if (response === undefined || response === null) reject(error)
        else resolve(response)
      })
    })
    return this.#promise
  }
}
