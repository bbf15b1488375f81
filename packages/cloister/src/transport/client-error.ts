import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

import type { Logger } from '../logging/logger.ts'

/** What Node says about bytes that are no request. */
interface ClientError extends Error {
  readonly code?: string
}

/** code -> status; everything else is 400 (RFC 9112 section 2.2, RFC 6585 section 5) */
const STATUS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers bytes that are no request, and closes the connection. */
export function answerClientError(error: ClientError, socket: Socket, log: Logger): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  log.trace({ err: error }, 'client error')
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const statusCode = STATUS[error.code ?? ''] ?? 400
  const reason = STATUS_CODES[statusCode] ?? ''
  const body = JSON.stringify({ error: reason, message: 'Client Error', statusCode })
  const head = [
    `HTTP/1.1 ${statusCode} ${reason}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
