import { createError } from '../errors.ts'
import { isFunction, type AnyFunction } from '../guards.ts'
import type { Exchange } from './exchange.ts'

/**
 * The part of a raw response that every transport has: its end. Plugins listen to `close` and `finish` to release what
 * they hold for a request, whatever else they do with Node's objects.
 */
class ResponseEnd {
  readonly #exchange: Exchange
  readonly #listeners: [event: unknown, listener: AnyFunction, once: boolean][] = []
  #isWatching = false
  writableFinished = false
  destroyed = false

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get headersSent(): boolean {
    return this.#exchange.headersSent
  }

  get writableEnded(): boolean {
    return this.#exchange.ended
  }

  readonly on = (event: unknown, listener: unknown): object => this.#add(event, listener, false)
  readonly once = (event: unknown, listener: unknown): object => this.#add(event, listener, true)
  readonly off = (event: unknown, listener: unknown): object => {
    const index = this.#listeners.findIndex(([name, one]) => name === event && one === listener)
    if (index !== -1) this.#listeners.splice(index, 1)
    return this
  }
  readonly addListener: (event: unknown, listener: unknown) => object = this.on
  readonly removeListener: (event: unknown, listener: unknown) => object = this.off

  #add(event: unknown, listener: unknown, once: boolean): object {
    if (isFunction(listener)) this.#listeners.push([event, listener, once])
    if (this.#isWatching) return this
    this.#isWatching = true
    this.#exchange.onFinished((outcome) => {
      this.writableFinished = outcome === null
      this.destroyed = true
      if (outcome === null) this.#emit('finish')
      this.#emit('close')
    })
    return this
  }

  #emit(event: string): void {
    for (const entry of this.#listeners.slice()) {
      const [name, listener, once] = entry
      if (name !== event) continue
      if (once) this.off(name, listener)
      listener()
    }
  }
}

/**
 * Returns `reply.raw` where a transport has no objects of Node.
 *
 * Each other member throws `CLO_ERR_RAW_UNAVAILABLE`.
 */
export function responseEndOf(exchange: Exchange): object {
  const end = new ResponseEnd(exchange)
  const refuse = (): never => {
    throw createError('RAW_UNAVAILABLE', { member: 'reply.raw' })
  }
  const empty: object = {}
  return new Proxy(empty, {
    get: (_target, name): unknown =>
      typeof name === 'symbol' ? undefined : name in end ? Reflect.get(end, name) : refuse(),
    has: (_target, name) => name in end,
    set: refuse,
  })
}
