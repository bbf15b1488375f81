import type { Exchange } from '../exchange.ts'
import { isDate, readPersistence } from '../message/framing.ts'
import { keepAliveLines } from './clock.ts'
import type { HeadComposer } from './head-composer.ts'

/** Date (RFC 9110 section 6.6.1), persistence (RFC 9112 section 9.3) and the end of a head. */
export function tailOf(exchange: Exchange, { date, connection: said, keepAlive }: HeadTail): string {
  const { engine, requests } = exchange.connection
  const { keepAliveTimeout } = engine.server
  const mostRequests = engine.server.maxRequestsPerSocket ?? 0
  if (engine.isClosing || exchange.leavesBody) exchange.isLast = true
  const isPlain = date === undefined && said === undefined && keepAlive === undefined && mostRequests === 0
  if (isPlain && !exchange.isLast) return engine.clock.keptTail(keepAliveTimeout)
  const { closes, others } = readPersistence(said)
  if (closes) exchange.isLast = true
  const dateLine = isDate(date) ? `Date: ${String(date)}\r\n` : engine.clock.dateLine
  const rest = others === '' ? '' : `, ${others}`
  // At its limit Node says so and keeps the connection open: later requests get a 503.
  if (exchange.isLast || (mostRequests > 0 && requests >= mostRequests))
    return `${dateLine}Connection: close${rest}\r\n\r\n`
  return `${dateLine}${keepAliveLines(keepAliveTimeout, mostRequests, rest)}\r\n`
}

/** What an application has said about the end of a head. */
export type HeadTail = Pick<HeadComposer, 'date' | 'connection' | 'keepAlive'>
