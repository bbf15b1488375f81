import { IncomingMessage } from 'node:http'

import type { BodyReader } from '../body/request-body.ts'
import type { Exchange } from './exchange.ts'
import { failRequest } from '../raw/cut.ts'
import { asInternalRequest, endRead, type InternalRequest } from '../raw/internals.ts'

/** Set on a message: the request that it belongs to. */
const kRaw: unique symbol = Symbol('cloister.wire.raw')

interface RawMessage extends InternalRequest {
  [kRaw]?: RawRequest
}

/**
 * The genuine `IncomingMessage` of an exchange. Its body stays with the connection until the application reads it
 * here; then it arrives with back-pressure.
 */
export class RawRequest implements BodyReader {
  readonly message: RawMessage
  readonly #exchange: Exchange
  /** whether the body goes to this message */
  isFed = false

  constructor(exchange: Exchange) {
    this.#exchange = exchange
    const { socket, engine } = exchange.connection
    const message: RawMessage = asInternalRequest(new IncomingMessage(socket))
    message.httpVersionMajor = 1
    message.httpVersionMinor = 1
    message.httpVersion = '1.1'
    message.url = exchange.target
    message.method = exchange.method
    const lines = exchange.headerLines
    message._addHeaderLines(lines, lines.length)
    Reflect.set(message, 'joinDuplicateHeaders', Reflect.get(engine.server, 'joinDuplicateHeaders'))
    exchange.share(message)
    message[kRaw] = this
    // Own properties, because Express replaces the prototype of requests; shared functions, because V8 promotes closures
    // of each request to old space.
    message._read = readRaw
    message._destroy = destroyRaw
    // A message is complete when its last byte has arrived, read or not.
    message.complete = exchange.isReceived
    this.message = message
    if (exchange.turn.isGone) this.cut()
  }

  read(): void {
    const exchange = this.#exchange
    const { message } = this
    message._consumed = true
    if (this.isFed) {
      exchange.resume()
      return
    }
    this.isFed = true
    const { body } = exchange
    if (body === null || (body.isTaken && body.isComplete)) this.end(body?.trailers ?? [])
    else if (!body.isTaken) {
      exchange.sendContinue()
      body.open(this)
    }
    // Node ends its message before the handler reads it. Here this read ends it, and only the next one sees the end.
    if (message.complete && message.readableLength === 0) process.nextTick(readNothing, message)
  }

  take(bytes: Buffer, start: number, end: number): boolean {
    const { message } = this
    return message._dumped || message.push(this.#exchange.connection.engine.readBuffer.own(bytes, start, end))
  }

  end(trailers: readonly string[]): void {
    const { message } = this
    message.complete = true
    if (trailers.length > 0) message._addHeaderLines(trailers, trailers.length)
    message.push(null)
  }

  fail(error: Error): void {
    failRequest(this.message, error)
  }

  /**
   * Whether the request has ended without being read here: its body was read elsewhere, or its response is complete. To
   * destroy it then leaves the connection open.
   */
  get isOver(): boolean {
    const { body, isReceived, turn } = this.#exchange
    return !this.isFed && isReceived && (turn.isComplete || body?.isTaken === true)
  }

  /** Ends the unread rest of the request, once the response is complete. */
  release(): void {
    const { message, isFed } = this
    message.complete = this.#exchange.isReceived
    if (!isFed && message.listenerCount('close') + message.listenerCount('end') > 0) message.resume()
  }

  /** Called when the connection has closed before the response was complete. */
  cut(): void {
    const { message, isFed } = this
    const { body } = this.#exchange
    if (message.destroyed) return
    if (this.isOver) {
      message.destroy()
      return
    }
    // A body that came whole can still be read from a message of a client that has gone, as from Node's.
    if (!isFed && body?.isComplete === true) {
      this.isFed = true
      body.open(this)
    }
    failRequest(message)
  }
}

function readRaw(this: RawMessage): void {
  this[kRaw]?.read()
}

function readNothing(message: RawMessage): void {
  message.read(0)
}

const { _destroy: destroy } = IncomingMessage.prototype

function destroyRaw(this: RawMessage, error: Error | null, callback: (error?: Error | null) => void): void {
  if (this[kRaw]?.isOver === true) endRead(this)
  destroy.call(this, error, callback)
}
