import { AsyncResource } from 'node:async_hooks'
import { ServerResponse, type IncomingMessage } from 'node:http'

import type { ContentWriter } from '../message/content-writer.ts'
import type { ResponseHeaders } from '../message/field.ts'
import { lowerFraming } from '../message/framing.ts'
import { WAITING, type Turn } from '../message/turn.ts'
import type { SetFields } from '../response/head-composer.ts'
import type { Content } from './respond.ts'
import {
  asInternalResponse,
  emitClose,
  emitDrain,
  isDelimited,
  setFieldsOf,
  showFinished,
  showUnfinished,
  type InternalResponse,
} from '../raw/internals.ts'
import { finished, started, type ServedRequest } from '../raw/channels.ts'
import { NodeWriter } from '../raw/node-writer.ts'
import { sendByNode, turnOf, withdrawHead } from '../raw/send-by-node.ts'
import type { Exchange } from './exchange.ts'
import { RawRequest } from './raw-request.ts'

/** Methods that libraries replace to take part in a response (on-headers, compression, sessions). */
const WRITING: readonly (readonly [name: string, method: unknown])[] =
  'write end writeHead flushHeaders setHeader _implicitHeader'
    .split(' ')
    .map((name) => [name, Reflect.get(ServerResponse.prototype, name)])

/**
 * The genuine `IncomingMessage` and `ServerResponse` of one exchange, created on first access.
 *
 * The response owns the socket from the start, so that whatever the application does with it works. As long as the
 * application has not written to it nor replaced a method, `Exchange.send` takes its headers and writes the response
 * itself; otherwise Node's code writes.
 */
export class RawPair {
  readonly #exchange: Exchange
  #request: RawRequest | null = null
  #response: InternalResponse | null = null
  #isFinished = false
  /** the asynchronous context of a request whose objects were published; `null` for others */
  scope: AsyncResource | null = null
  /** whether the engine has written the response */
  #isSent = false

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** The request as Node's server would create it. */
  get request(): IncomingMessage {
    this.#request ??= new RawRequest(this.#exchange)
    return this.#request.message
  }

  /** Whether the request has been created. */
  get hasRequest(): boolean {
    return this.#request !== null
  }

  /** Whether the response has been created. */
  get hasResponse(): boolean {
    return this.#response !== null
  }

  /** Whether the application reads the body from the raw request. */
  get readsBody(): boolean {
    return this.#request !== null && (this.#request.isFed || this.#request.message.readableFlowing !== null)
  }

  /** The response as Node's server would create it. */
  get response(): ServerResponse {
    this.#response ??= this.#create()
    return this.#response
  }

  /** Publishes both on the diagnostics channels of `node:http`, as Node's server does when a request has arrived. */
  publish(): void {
    const response = createResponse(this.#exchange, this.request)
    this.#response = response
    if (started.hasSubscribers) started.publish(this.#served(response))
    // Only now it has what the subscribers have entered.
    this.scope = new AsyncResource('CLOISTERWIRERESPONSE')
    // After those of subscribers, as the listener of Node's server.
    response.on('finish', this.#onFinish)
    this.#watchEnd()
  }

  #served(response: ServerResponse): ServedRequest {
    const { socket, engine } = this.#exchange.connection
    return { request: this.request, response, socket, server: engine.server }
  }

  #create(): InternalResponse {
    const response = createResponse(this.#exchange, this.request)
    response.on('finish', this.#onFinish)
    const { begunStatus, turn } = this.#exchange
    if (turn.hasBegun) showHead(response, begunStatus)
    if (turn.isComplete) {
      showFinished(response)
      this.#isSent = true
      this.#watchEnd()
    } else if (turn.isGone) close(response)
    return response
  }

  /** What the exchange may do, judged by what the application has written to Node's response. */
  get turn(): Turn {
    return this.#response === null ? WAITING : turnOf(this.#response)
  }

  /** Whether the application has written to the response, or changed how it is written. */
  get isLive(): boolean {
    const response = this.#response
    if (response === null) return false
    if (response.headersSent || response.writableEnded || response.outputData.length > 0) return true
    if (response.statusMessage !== undefined && response.statusMessage !== '') return true
    return WRITING.some(([name, method]) => Reflect.get(response, name) !== method)
  }

  /** Whether the head that Node's code has written says where its content ends. */
  get isDelimited(): boolean {
    return this.#response !== null && isDelimited(this.#response)
  }

  /** Called when the body comes, which the client might have kept: the connection can go on. */
  continued(): void {
    const { isLast, connection } = this.#exchange
    if (this.#response !== null && !isLast && !connection.engine.isClosing)
      this.#response.shouldKeepAlive = true
  }

  /** Ends the connection with the response. */
  endConnection(): void {
    if (this.#response !== null) this.#response.shouldKeepAlive = false
  }

  /** The headers that the application has set on the response, which Node has checked; `null` if there are none. */
  get setFields(): SetFields | null {
    return this.#response === null ? null : setFieldsOf(this.#response)
  }

  /** Takes back the fields of a content that another response replaces. */
  withdraw(): void {
    if (this.#response !== null) withdrawHead(this.#response)
  }

  /** Writes a whole response with Node's code. */
  send(status: number, headers: ResponseHeaders, content: Content | null): string | null {
    const { method, leavesBody } = this.#exchange
    if (leavesBody) this.#exchange.endConnection()
    return sendByNode(this.response, { method, httpVersion: '1.1' }, status, lowerFraming(headers), content)
  }

  /** Prepares a response that Node's code writes piece by piece. */
  open(status: number, headers: ResponseHeaders, hasTrailers: boolean): ContentWriter {
    const { method, leavesBody } = this.#exchange
    if (leavesBody) this.#exchange.endConnection()
    const cut = (): void => this.#exchange.abort()
    return NodeWriter.open(
      this.response,
      { method, httpVersion: '1.1', hasTrailers, isShared: true },
      status,
      lowerFraming(headers),
      cut,
    )
  }

  /** Marks Node's response as begun, because the engine has written the head: it can no longer be written to. */
  showBegun(status: number): void {
    if (this.#response !== null) showHead(this.#response, status)
  }

  /** Marks Node's objects as finished, because the engine has written the response. */
  showSent(status: number): void {
    if (this.#isFinished) return
    this.#isFinished = true
    const response = this.#response
    if (response !== null) {
      showHead(response, status)
      showFinished(response)
      this.#isSent = true
      if (this.scope === null) this.#tellSent(response)
    }
    this.#request?.release()
  }

  /** Emits the events of the end for a response that the engine has written. Most have no listener but our own. */
  #tellSent(response: InternalResponse): void {
    const isWatched = Object.hasOwn(response, 'emit') || response.listenerCount('close') > 0
    if (!isWatched && response.listenerCount('finish') <= 1) {
      emitClose(response)
      return
    }
    this.#watchEnd()
  }

  /** Emits the events of the end of a response that the engine will have written. */
  #watchEnd(): void {
    this.#exchange.onFinished((error) => {
      const response = this.#response
      if (response === null || !this.#isSent) return
      if (error === null) response.emit('finish')
      else showUnfinished(response)
      emitClose(response)
    })
  }

  /** Called when the whole response has been written, by Node's code or by the engine. */
  readonly #onFinish = (): void => {
    const { scope } = this
    const response = this.#response
    if (response === null) return
    // Node may emit this in the context of another request.
    if (scope === null || this.#isSent) this.#finish(response)
    else scope.runInAsyncScope(this.#finish, this, response)
  }

  #finish(response: InternalResponse): void {
    if (finished.hasSubscribers) finished.publish(this.#served(response))
    if (this.#isFinished) return
    this.#isFinished = true
    const exchange = this.#exchange
    const { socket } = exchange.connection
    if (response._last || !response.shouldKeepAlive) exchange.isLast = true
    this.#request?.release()
    if (response.socket !== null) response.detachSocket(socket)
    process.nextTick(emitClose, response)
    exchange.complete()
  }

  /** Emits the error of a malformed body on the raw request, unless the application reads the body there. */
  breakOff(error: Error): void {
    if (this.#request?.isFed === false) this.#request.fail(error)
  }

  /** Called when the client has read. */
  drained(): void {
    if (this.#response !== null) emitDrain(this.#response)
  }

  /** Called when the connection has timed out. @returns true when the application handles it */
  timedOut(): boolean {
    const { socket } = this.#exchange.connection
    const isRequestHandled = this.#request?.message.emit('timeout', socket) === true
    const isResponseHandled = this.#response?.emit('timeout', socket) === true
    return isRequestHandled || isResponseHandled
  }

  /** Called when the connection has closed before the response was complete. */
  cut(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    this.#request?.cut()
    if (this.#response !== null) process.nextTick(emitClose, this.#response)
  }
}

/** Creates the response of an exchange as Node's server does. It owns the socket from the start. */
function createResponse(exchange: Exchange, request: IncomingMessage): InternalResponse {
  const { connection, isLast, leavesBody } = exchange
  const { socket, engine, outbox } = connection
  const { server } = engine
  outbox.flush()
  const response = asInternalResponse(new ServerResponse(request))
  const most = server.maxRequestsPerSocket ?? 0
  response._keepAliveTimeout = server.keepAliveTimeout
  response._maxRequestsPerSocket = most
  if (most > 0) response.maxRequestsOnConnectionReached = most <= connection.requests
  response.shouldKeepAlive = !isLast && !engine.isClosing && !leavesBody
  const { mayBegin, isGone } = exchange.turn
  // Without its closed socket, Node would keep what the application writes.
  if (mayBegin || (isGone && socket.destroyed)) response.assignSocket(socket)
  return response
}

/** Makes Node's response look as after its head was sent, and detaches its socket. */
function showHead(response: InternalResponse, status: number): void {
  if (response.socket !== null) response.detachSocket(response.socket)
  response.statusCode = status
  response._header = ' '
  response._headerSent = true
}

/** Puts a response into the state after its client has gone, at once, and emits `close` to its listeners. */
function close(response: InternalResponse): void {
  response.destroyed = true
  response._closed = true
  process.nextTick(() => response.emit('close'))
}
