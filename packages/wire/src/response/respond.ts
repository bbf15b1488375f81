import type { ResponseHeaders } from '../message/field.ts'
import { frame, STREAMED, type Framing } from '../message/framing.ts'
import type { SetFields } from './head-composer.ts'
import type { Responding } from './responding.ts'
import { interimLine, statusLine, tailOf } from './head-lines.ts'
import { WireWriter, type ContentHead } from './wire-writer.ts'

/** A response object that the application has got and not written to. */
export interface SetAside {
  readonly setFields: SetFields | null
  showSent(status: number): void
}

/** Content that is complete. */
export type Content = string | Uint8Array

/**
 * Writes a whole response with the length of its content.
 *
 * @param raw - Node's objects, whose headers are also sent
 * @returns what the application wrongly said about the framing; `null` if nothing
 */
export function sendWhole(
  exchange: Responding,
  raw: SetAside | null,
  status: number,
  headers: ResponseHeaders,
  content: Content | null,
): string | null {
  const { connection, method } = exchange
  const { composer } = connection.engine
  let head = statusLine(status) + composer.compose(headers, raw === null ? null : raw.setFields)
  const size = content === null ? 0 : Buffer.byteLength(content)
  const framing = frame({ method, status, httpVersion: '1.1', size, hasTrailers: false }, composer)
  head += lengthLine(framing, headers) + tailOf(exchange, composer)
  if (connection.exchange === exchange && connection.socket.writable) {
    const { outbox } = connection
    if (content === null || framing.by === 'none') outbox.add(head)
    else if (typeof content === 'string') outbox.addText(head, content, size)
    else outbox.addBytes(head, content)
    if (!connection.inbox.isBatching) outbox.flush()
    raw?.showSent(status)
  }
  exchange.complete()
  return framing.contradiction
}

/** Also sets the length in the headers, which the application may read. */
function lengthLine({ length }: Framing, headers: ResponseHeaders): string {
  if (length === null) return ''
  headers['content-length'] = length
  return `content-length: ${length}\r\n`
}

/**
 * Prepares a response whose content is written piece by piece. Nothing is written before the first piece.
 *
 * @throws FieldError, StatusError when its head is invalid
 */
export function openContent(
  exchange: Responding,
  status: number,
  headers: ResponseHeaders,
  hasTrailers: boolean,
): WireWriter {
  const { composer } = exchange.connection.engine
  const { method } = exchange
  const start = statusLine(status)
  const fields = composer.compose(headers)
  const framing = frame({ method, status, httpVersion: '1.1', size: STREAMED, hasTrailers }, composer)
  const headOf = (lines: string): ContentHead => {
    let head = start + lines + lengthLine(framing, headers)
    if (framing.by === 'chunked' && hasTrailers && composer.trailer !== undefined)
      head += composer.line('trailer', String(composer.trailer))
    const { date, connection, keepAlive } = composer
    return { lines: head, date, connection, keepAlive }
  }
  const early = headOf(fields)
  // The application may set headers on Node's response until the first piece.
  const headWith = (set: SetFields | null): ContentHead =>
    set === null ? early : headOf(composer.compose(headers, set))
  return new WireWriter(exchange, status, headWith, framing)
}

/** Writes an interim response (RFC 9110 section 15.2), which has no framing and no connection fields. */
export function sendInterim(
  exchange: Responding,
  status: 100 | 103,
  headers: Readonly<ResponseHeaders>,
): void {
  const { engine, outbox } = exchange.connection
  // Node writes `Link` first, with a capital letter.
  const { link, ...others } = headers
  const lines = engine.composer.compose({ Link: link, ...others })
  if (!exchange.turn.mayInform) return
  outbox.add(`${interimLine(status)}${lines}\r\n`)
  outbox.flush()
}
