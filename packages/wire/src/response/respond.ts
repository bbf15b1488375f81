import type { Exchange } from '../exchange.ts'
import type { RawPair } from '../raw/raw-pair.ts'
import { keepAliveLines } from './clock.ts'
import type { HeadComposer, ResponseHeaders } from './head-composer.ts'
import { ResponseSink } from './response-sink.ts'
import type { SinkTarget } from './response-sink.ts'
import { statusLine } from './status-lines.ts'

/** Content that is there as a whole. */
export type Content = string | Uint8Array

/** Responses to HEAD, and those with 1xx, 204 and 304, have no content (RFC 9110 section 6.4.1). */
function hasContent(method: string, status: number): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304 && status >= 200
}

/**
 * Writes a whole response with the length of its content.
 *
 * @param raw - Node's objects, whose headers go out too
 */
export function sendWhole(
  exchange: Exchange,
  raw: RawPair | null,
  status: number,
  headers: ResponseHeaders,
  content: Content | null,
): void {
  let length = 0
  if (content !== null) {
    length = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength
    declareLength(exchange, headers, length)
  }
  const { connection } = exchange
  const { composer } = connection.engine
  let head = composeHead(exchange, raw, status, headers)
  if (
    content === null &&
    composer.length === null &&
    !composer.isChunked &&
    hasContent(exchange.method, status)
  ) {
    head += 'Content-Length: 0\r\n'
  }
  head += tailOf(exchange, composer)
  if (connection.exchange === exchange && connection.socket.writable) {
    const { outbox } = connection
    if (content === null || exchange.method === 'HEAD') outbox.add(head)
    else if (typeof content === 'string') outbox.addText(head, content, length)
    else outbox.addBytes(head, content)
    if (!connection.inbox.isBatching) outbox.flush()
    raw?.showSent(status)
  }
  exchange.complete()
}

/** A length and a coding never go together (RFC 9112 section 6.2): a part of the response could pass for another one. */
function declareLength(exchange: Exchange, headers: ResponseHeaders, length: number): void {
  if (exchange.method === 'HEAD' && headers['content-length'] !== undefined) return
  headers['content-length'] = String(length)
  if (headers['transfer-encoding'] !== undefined) delete headers['transfer-encoding']
}

function composeHead(
  exchange: Exchange,
  raw: RawPair | null,
  status: number,
  headers: ResponseHeaders,
): string {
  const { composer } = exchange.connection.engine
  const set = raw === null ? null : raw.setHeaders
  const lines = set === null ? composer.compose(headers) : composer.composeOver(set, headers)
  if (composer.saysClose) exchange.isLast = true
  return statusLine(status) + lines
}

/** Date (RFC 9110 section 6.6.1), persistence (RFC 9112 section 9.3) and the end of a head. */
function tailOf(exchange: Exchange, facts: HeadComposer): string {
  const { engine, requests } = exchange.connection
  const { keepAliveTimeout } = engine.server
  const mostRequests = engine.server.maxRequestsPerSocket ?? 0
  if (engine.isClosing || leavesBody(exchange)) exchange.isLast = true
  // Node says so too and leaves the connection open: what follows is answered with 503.
  const isLimitReached = mostRequests > 0 && requests >= mostRequests
  const hasOwn = facts.hasDate || facts.hasConnection || facts.hasKeepAlive
  if (!hasOwn && !exchange.isLast && mostRequests === 0) return engine.clock.keptTail(keepAliveTimeout)
  const date = facts.hasDate ? '' : engine.clock.dateLine
  if (exchange.isLast || isLimitReached) return `${date}${facts.saysClose ? '' : 'Connection: close\r\n'}\r\n`
  if (facts.hasConnection || facts.hasKeepAlive) return `${date}\r\n`
  return `${date}${keepAliveLines(keepAliveTimeout, mostRequests)}\r\n`
}

/** What is left of the body is not worth the connection, or may never be sent (RFC 9110 section 10.1.1). */
function leavesBody({ isReceived, isWaitingToContinue, body }: Exchange): boolean {
  return !isReceived && (isWaitingToContinue || body?.isTooMuchToDiscard === true)
}

/** Begins a response that is written piece by piece. */
export function openStreamed(
  exchange: Exchange,
  raw: RawPair | null,
  status: number,
  headers: ResponseHeaders,
): ResponseSink {
  const { composer } = exchange.connection.engine
  let head = composeHead(exchange, raw, status, headers)
  const isHeadOnly = !hasContent(exchange.method, status)
  const { length } = composer
  if (length === null && !composer.isChunked && !isHeadOnly) head += 'Transfer-Encoding: chunked\r\n'
  head += tailOf(exchange, composer)
  const streamed = new StreamedResponse(exchange, raw, status, head)
  const framing = { length, isChunked: length === null, isHeadOnly }
  streamed.sink = new ResponseSink(streamed, framing, exchange.connection.socket.writableHighWaterMark)
  exchange.streamed = streamed
  return streamed.sink
}

/** Writes an interim response (RFC 9110 section 15.2). */
export function sendInterim(exchange: Exchange, status: number, headers: ResponseHeaders): void {
  const { connection } = exchange
  const lines = connection.engine.composer.compose(headers)
  if (exchange.headersSent || connection.exchange !== exchange) return
  connection.outbox.add(`${statusLine(status)}${lines}\r\n`)
  connection.outbox.flush()
}

/** A response on its way, piece by piece, over the connection of its exchange. */
export class StreamedResponse implements SinkTarget {
  sink: ResponseSink | null = null
  readonly #exchange: Exchange
  readonly #raw: RawPair | null
  readonly #status: number
  readonly #head: string
  #isCorked = false
  #whenDrained: (() => void) | null = null

  constructor(exchange: Exchange, raw: RawPair | null, status: number, head: string) {
    this.#exchange = exchange
    this.#raw = raw
    this.#status = status
    this.#head = head
  }

  begin(): string {
    this.#exchange.isBegun = true
    this.#exchange.connection.outbox.flush()
    return this.#head
  }

  write(pieces: readonly (string | Uint8Array)[]): boolean {
    const { connection } = this.#exchange
    const { socket } = connection
    if (connection.exchange !== this.#exchange || !socket.writable) return true
    this.#cork()
    for (const piece of pieces) {
      if (typeof piece !== 'string') socket.write(piece)
      else if (piece !== '') socket.write(piece, 'latin1')
    }
    return !socket.writableNeedDrain
  }

  /**
   * What is written in one turn goes out together. A source that gives all it has at once meets back-pressure, and the
   * head is not sent before an error of the same turn.
   */
  #cork(): void {
    if (this.#isCorked) return
    this.#isCorked = true
    const { socket } = this.#exchange.connection
    socket.cork()
    process.nextTick(() => {
      this.#isCorked = false
      socket.uncork()
    })
  }

  composeTrailers(fields: Readonly<Record<string, string>>): string {
    return this.#exchange.connection.engine.composer.compose({ ...fields })
  }

  whenDrained(callback: () => void): void {
    this.#whenDrained = callback
  }

  drained(): void {
    const callback = this.#whenDrained
    this.#whenDrained = null
    callback?.()
  }

  end(): void {
    this.#raw?.showSent(this.#status)
    this.#exchange.complete()
  }

  fail(): void {
    this.#exchange.abort()
  }

  cut(): void {
    this.sink?.destroy()
  }
}
