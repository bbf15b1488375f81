import { createError } from '../errors.ts'
import { isFunction } from '../guards.ts'
import { Emitter } from './emitter.ts'
import type { Exchange } from './exchange.ts'

/**
 * A substitute for the raw response that only reports its end. Plugins listen to `close` and `finish` on any transport
 * to release resources of a request.
 */
class ResponseEnd extends Emitter {
  readonly #exchange: Exchange
  writableFinished = false
  destroyed = false

  constructor(exchange: Exchange) {
    super()
    this.#exchange = exchange
    this.destroyed = exchange.turn.isGone
    exchange.onFinished((outcome) => {
      this.writableFinished = outcome === null
      this.destroyed = true
      if (outcome === null) this.emit('finish')
      this.emit('close')
    })
  }

  get headersSent(): boolean {
    return this.#exchange.turn.hasBegun
  }

  get writableEnded(): boolean {
    return this.#exchange.turn.isComplete
  }

  addListener(event: unknown, listener: unknown): this {
    return this.on(event, listener)
  }

  removeListener(event: unknown, listener: unknown): this {
    return this.off(event, listener)
  }
}

/**
 * Returns `reply.raw` for a transport without Node's objects.
 *
 * Every other member throws `CLO_ERR_RAW_UNAVAILABLE`.
 */
export function responseEndOf(exchange: Exchange): object {
  const end = new ResponseEnd(exchange)
  const isOpen = (name: string | symbol): boolean => name in end && name !== 'emit'
  const refuse = (): never => {
    throw createError('RAW_UNAVAILABLE', { member: 'reply.raw' })
  }
  const empty: object = {}
  return new Proxy(empty, {
    get(_target, name): unknown {
      if (typeof name === 'symbol') return undefined
      const member: unknown = isOpen(name) ? Reflect.get(end, name) : refuse()
      return isFunction(member) ? member.bind(end) : member
    },
    has: (_target, name) => isOpen(name),
    set: refuse,
  })
}
