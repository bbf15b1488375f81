import { createError } from '../errors.ts'
import { isFunction } from '../guards.ts'
import { Emitter } from './emitter.ts'
import type { Exchange, ResponseHeaders } from './exchange.ts'
import { viewRequest } from './node-access.ts'

/*
 * What `request.raw` and `reply.raw` are for a transport without Node's objects: views with the members that plugins
 * for headers use, so that those run unmodified. Every other member throws `CLO_ERR_RAW_UNAVAILABLE`.
 */

/** Reports the end of a response, and reads and sets its headers. */
class ResponseView extends Emitter {
  readonly #exchange: Exchange
  readonly #headers: ResponseHeaders
  writableFinished = false
  destroyed = false

  constructor(exchange: Exchange, headers: ResponseHeaders) {
    super()
    this.#exchange = exchange
    this.#headers = headers
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

  getHeader(name: string): ResponseHeaders[string] {
    return this.#headers[lower(name)]
  }

  getHeaders(): ResponseHeaders {
    return { ...this.#headers }
  }

  getHeaderNames(): string[] {
    return Object.keys(this.#headers)
  }

  hasHeader(name: string): boolean {
    return Object.hasOwn(this.#headers, lower(name))
  }

  /** Sets a header of the reply; the transport checks it when the response is sent. */
  setHeader(name: string, value: ResponseHeaders[string]): this {
    this.#refuseSent('set')
    this.#headers[lower(name)] = value
    return this
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    this.#refuseSent('append')
    const key = lower(name)
    const before = this.#headers[key]
    this.#headers[key] = before === undefined ? [value].flat() : [before, value].flat().map(String)
    return this
  }

  removeHeader(name: string): void {
    this.#refuseSent('remove')
    delete this.#headers[lower(name)]
  }

  #refuseSent(verb: string): void {
    if (!this.headersSent) return
    const message = `Cannot ${verb} headers after they are sent to the client`
    throw Object.assign(new Error(message), { code: 'ERR_HTTP_HEADERS_SENT' })
  }
}

const lower = (name: unknown): string => String(name).toLowerCase()

/**
 * Returns `reply.raw` for a transport without Node's objects: the end of the response, and its headers.
 *
 * @param headers - of the reply, which the view reads and sets
 */
export function responseViewOf(exchange: Exchange, headers: ResponseHeaders): object {
  return open(new ResponseView(exchange, headers), 'reply.raw')
}

/** Returns `request.raw` for a transport without Node's objects: method, URL, headers and client, to read. */
export function requestViewOf(exchange: Exchange): object {
  const { httpVersion } = exchange
  return open({ ...viewRequest(exchange), httpVersion }, 'request.raw')
}

/** Names that a view must not show. */
const HIDDEN: ReadonlySet<string | symbol> = new Set(['emit', 'constructor', '__proto__'])

/** Shows the members of a view; every other one throws `CLO_ERR_RAW_UNAVAILABLE`. */
function open(view: object, member: string): object {
  const isOpen = (name: string | symbol): boolean => name in view && !HIDDEN.has(name)
  const refuse = (): never => {
    throw createError('RAW_UNAVAILABLE', { member })
  }
  const empty: object = {}
  return new Proxy(empty, {
    get(_target, name): unknown {
      if (typeof name === 'symbol') return undefined
      const value: unknown = isOpen(name) ? Reflect.get(view, name) : refuse()
      return isFunction(value) ? value.bind(view) : value
    },
    has: (_target, name) => isOpen(name),
    set: refuse,
  })
}
