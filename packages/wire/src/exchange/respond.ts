import type { ResponseHeaders } from '../message/field.ts'
import { frame, isDate, readPersistence, type Framing } from '../message/framing.ts'
import { keepAliveLines, statusLine } from '../response/head-lines.ts'
import type { Exchange } from './exchange.ts'

/** Content that is complete. */
export type Content = string | Uint8Array

/**
 * Writes a whole response with the length of its content.
 *
 * @param lines - lines of further headers
 * @returns what the application wrongly said about the framing; `null` if nothing
 */
export function sendWhole(
  exchange: Exchange,
  status: number,
  headers: ResponseHeaders,
  content: Content | null,
  lines: string,
): string | null {
  const { connection, method, pair } = exchange
  const { composer } = connection.engine
  const set = pair === null ? null : pair.setFields
  let head = statusLine(status) + lines + composer.compose(headers, set)
  const size = content === null ? 0 : Buffer.byteLength(content)
  const framing = frame({ method, status, httpVersion: '1.1', size, hasTrailers: false }, composer)
  head += lengthLine(framing, headers) + tailOf(exchange)
  if (connection.exchange === exchange && connection.socket.writable) {
    const { inbox, outbox } = connection
    if (content === null || framing.by === 'none') outbox.add(head)
    else if (typeof content === 'string') outbox.addText(head, content, size)
    else outbox.addBytes(head, content)
    // Requests that have arrived together get their responses together.
    if (!inbox.isRunning && inbox.rest === null) outbox.flush()
  }
  exchange.begunStatus = status
  exchange.complete()
  return framing.contradiction
}

/** Also sets the length in the headers, which the application may read. */
export function lengthLine({ length }: Framing, headers: ResponseHeaders): string {
  if (length === null) return ''
  headers['content-length'] = length
  return `content-length: ${length}\r\n`
}

/**
 * Returns Date (RFC 9110 section 6.6.1), persistence (RFC 9112 section 9.3) and the end of the head that was composed
 * last.
 */
export function tailOf(exchange: Exchange): string {
  const { engine, requests } = exchange.connection
  const { date, connection: said, keepAlive } = engine.composer
  const { keepAliveTimeout } = engine.server
  const mostRequests = engine.server.maxRequestsPerSocket ?? 0
  if (engine.isClosing || (exchange.isWaitingToContinue && exchange.leavesBody)) exchange.isLast = true
  const isPlain = date === undefined && said === undefined && keepAlive === undefined && mostRequests === 0
  if (isPlain && !exchange.isLast) return engine.clock.keptTail(keepAliveTimeout)
  const { closes, others } = readPersistence(said)
  if (closes) exchange.isLast = true
  const dateLine = isDate(date) ? `Date: ${String(date)}\r\n` : engine.clock.dateLine
  const rest = others === '' ? '' : `, ${others}`
  // At its limit Node says `close` but keeps the connection open: later requests get a 503.
  if (exchange.isLast || (mostRequests > 0 && requests >= mostRequests))
    return `${dateLine}Connection: close${rest}\r\n\r\n`
  return `${dateLine}${keepAliveLines(keepAliveTimeout, mostRequests, rest)}\r\n`
}

/** Writes an interim response (RFC 9110 section 15.2), which has no framing and no connection fields. */
export function sendInterim(exchange: Exchange, status: 103, headers: Readonly<ResponseHeaders>): void {
  const { engine, outbox } = exchange.connection
  // Node writes `Link` first, with a capital letter.
  const { link, ...others } = headers
  const lines = engine.composer.compose({ Link: link, ...others })
  if (!exchange.turn.mayInform) return
  outbox.add(`HTTP/1.1 ${status} Early Hints\r\n${lines}\r\n`)
  outbox.flush()
}
