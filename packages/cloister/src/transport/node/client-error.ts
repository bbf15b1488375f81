import { STATUS_TEXT } from '../../exchange/status-text.ts'
import type { Socket } from 'node:net'

import { logSafely } from '../../logging/request-log.ts'
import type { LogOwner } from '../../logging/request-log.ts'

/** What Node says about bytes that are no request. */
export interface ClientError extends Error {
  readonly code?: string
}

/** What is answered. */
type Refusal = readonly [statusCode: number, message: string]

const MALFORMED: Refusal = [400, 'Client Error']

/** code -> answer; everything else is malformed (RFC 9112 section 2.2, RFC 6585 section 5) */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, 'Exceeded maximum allowed HTTP header size'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Client Error'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Client Timeout'],
}

/** Answers bytes that are no request, and ends our side of the connection. */
export function sendClientError(error: ClientError, socket: Socket, logs: LogOwner): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  logSafely(logs, () => logs.logger.trace({ err: error }, 'client error'))
  if (!socket.writable) {
    socket.destroy()
    return
  }
  // What follows a request that said `Connection: close` is not read, and not answered (RFC 9112 section 9.6).
  if (error.code === 'HPE_CLOSED_CONNECTION') {
    socket.end()
    return
  }
  const [statusCode, message] = REFUSALS[error.code ?? ''] ?? MALFORMED
  const reason = STATUS_TEXT[statusCode] ?? ''
  const body = JSON.stringify({ error: reason, message, statusCode })
  const head = [
    `HTTP/1.1 ${statusCode} ${reason}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** The status that a body is answered with which breaks off with this error. */
export function statusOf(error: ClientError): number {
  return (REFUSALS[error.code ?? ''] ?? MALFORMED)[0]
}
