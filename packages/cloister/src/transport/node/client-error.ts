import { STATUS_TEXT } from '../../exchange/status-text.generated.ts'
import type { Socket } from 'node:net'

import { look } from '../../foreign.ts'
import { logSafely, type LogOwner } from '../../logging/request-log.ts'
import { acceptsProblem, PROBLEM_CONTENT, problemOfStatus } from '../../request/errors/problem.ts'

/** Node's error for bytes that aren't a valid request. */
export interface ClientError extends Error {
  readonly code?: string
}

type Refusal = readonly [statusCode: number, message: string]

const MALFORMED: Refusal = [400, 'Client Error']

/** code -> response; any other code means a malformed request (RFC 9112 section 2.2, RFC 6585 section 5) */
const REFUSALS: ReadonlyMap<string | undefined, Refusal> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Exceeded maximum allowed HTTP header size']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'Client Error']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Client Timeout']],
])

/** The parts of an app that such a response needs. */
export interface RefusingApp extends LogOwner {
  readonly options: { readonly problemDetails: boolean | 'accepted' }
}

/** Responds to bytes that aren't a valid request, and ends the server's side of the connection. */
export function sendClientError(error: ClientError, socket: Socket, app: RefusingApp): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  logSafely(app, () => app.logger.trace({ err: error }, 'client error'))
  // Without a handshake, nothing can be written, so the end would never come.
  if (!socket.writable || look(socket, 'secureConnecting') === true) {
    socket.destroy()
    return
  }
  // Bytes after a request with `Connection: close` are ignored and get no response (RFC 9112 section 9.6).
  if (error.code === 'HPE_CLOSED_CONNECTION') {
    socket.end()
    return
  }
  const [statusCode, message] = refusalOf(error)
  const reason = STATUS_TEXT[statusCode] ?? ''
  // The `Accept` header is unknown, so every type is acceptable.
  const isProblem = acceptsProblem(app.options.problemDetails, undefined)
  const body = JSON.stringify(
    isProblem ? problemOfStatus(statusCode, reason, message) : { error: reason, message, statusCode },
  )
  const head = [
    `HTTP/1.1 ${statusCode} ${reason}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    `Content-Type: ${isProblem ? PROBLEM_CONTENT : 'application/json'}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Returns the status of the response to a body that ends with this error. */
export function statusOf(error: ClientError): number {
  return refusalOf(error)[0]
}

function refusalOf(error: ClientError): Refusal {
  return REFUSALS.get(error.code) ?? MALFORMED
}
