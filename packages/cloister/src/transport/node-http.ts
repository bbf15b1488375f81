import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'

import type { Exchange, ReplyHeaders } from '../request/exchange.ts'
import { explainHeaders } from '../request/members/header-problem.ts'
import { FinishWatch } from './finish-watch.ts'

/**
 * The exchange over `node:http`, its HTTP/2 compatibility interface, and the in-process transport, all of which
 * bring a request and a response object of Node's shape.
 */
export class NodeExchange implements Exchange {
  readonly method: string
  readonly target: string
  isRawTaken: boolean
  private readonly request: IncomingMessage
  private readonly response: ServerResponse
  private finish: FinishWatch | null

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.method = request.method ?? 'GET'
    this.target = request.url ?? '/'
    this.isRawTaken = false
    this.request = request
    this.response = response
    this.finish = null
  }

  get httpVersion(): string {
    return this.request.httpVersion
  }

  get isHttp2(): boolean {
    return 'stream' in this.request
  }

  get headerLines(): readonly string[] {
    // A request that user code brings need not have them.
    return this.request.rawHeaders ?? []
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  get rawStatus(): number {
    return this.response.statusCode
  }

  set rawStatus(status: number) {
    this.response.statusCode = status
  }

  rawHeader(name: string): string | number | readonly string[] | undefined {
    return this.response.getHeader(name)
  }

  rawHeaders(): OutgoingHttpHeaders {
    return this.response.getHeaders()
  }

  get headersSent(): boolean {
    return this.response.headersSent
  }

  get ended(): boolean {
    return this.response.writableEnded || this.response.destroyed
  }

  get aborted(): boolean {
    return this.response.destroyed || this.request.socket?.destroyed === true
  }

  respond(status: number, headers: ReplyHeaders, payload: string | Uint8Array | null): void {
    const response = this.response
    try {
      response.writeHead(status, headers)
    } catch (cause) {
      throw this.#takeBack(headers, cause)
    }
    if (payload === null) response.end()
    else response.end(payload)
  }

  startStream(status: number, headers: ReplyHeaders): void {
    try {
      this.response.writeHead(status, headers)
    } catch (cause) {
      throw this.#takeBack(headers, cause)
    }
  }

  endConnection(): void {
    this.response.shouldKeepAlive = false
  }

  destroy(error?: Error): void {
    this.response.destroy(error)
  }

  get body(): Readable {
    return this.request
  }

  onFinished(callback: (error: Error | null) => void): void {
    this.finish ??= new FinishWatch(this.response)
    this.finish.add(callback)
  }

  onAbort(callback: () => void): void {
    this.response.once('close', () => {
      if (!this.response.writableFinished) callback()
    })
  }

  onTimeout(callback: () => void): void {
    const { socket } = this
    if (socket === undefined) return
    socket.once('timeout', callback)
    this.onFinished(() => socket.off('timeout', callback))
  }

  get socket(): Socket | undefined {
    return this.request.socket
  }

  get rawRequest(): IncomingMessage {
    return this.request
  }

  get rawResponse(): ServerResponse {
    this.isRawTaken = true
    // A write after the end is an error of the response, and an uncaught one ends the process.
    this.finish ??= new FinishWatch(this.response)
    return this.response
  }

  withRawRequest(request: IncomingMessage): Exchange {
    const exchange = new NodeExchange(request, this.response)
    // Middleware assigns to these as it goes.
    return Object.defineProperties(exchange, {
      method: { get: () => request.method ?? 'GET' },
      target: { get: () => request.url ?? '/' },
    })
  }

  withRawResponse(response: ServerResponse): Exchange {
    const exchange = new NodeExchange(this.request, response)
    exchange.isRawTaken = true
    return exchange
  }

  /** A head that could not be written leaves no reason phrase behind for the one that is written instead. */
  #takeBack(headers: ReplyHeaders, cause: unknown): unknown {
    if (this.request.httpVersionMajor < 2) this.response.statusMessage = ''
    return explainHeaders(headers, cause)
  }
}
