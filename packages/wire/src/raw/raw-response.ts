import { ServerResponse } from 'node:http'
import type { IncomingMessage } from 'node:http'

import type { Exchange } from '../exchange.ts'
import { asInternalResponse } from './internals.ts'
import type { InternalResponse } from './internals.ts'

/** Methods that libraries replace to take part in a response (on-headers, compression, sessions). */
const WRITING: readonly (readonly [name: string, method: unknown])[] = [
  'write',
  'end',
  'writeHead',
  'flushHeaders',
  'setHeader',
  '_implicitHeader',
].map((name) => [name, Reflect.get(ServerResponse.prototype, name)])

/** Creates the response of an exchange as Node's server does. It owns the socket from the start. */
export function createResponse(exchange: Exchange, request: IncomingMessage): InternalResponse {
  const { connection, isLast, isWaitingToContinue } = exchange
  const { socket, engine, outbox } = connection
  const { server } = engine
  outbox.flush()
  const response = asInternalResponse(new ServerResponse(request))
  const most = server.maxRequestsPerSocket ?? 0
  response._keepAliveTimeout = server.keepAliveTimeout
  response._maxRequestsPerSocket = most
  if (most > 0) response.maxRequestsOnConnectionReached = most <= connection.requests
  response.shouldKeepAlive = !isLast && !engine.isClosing && !isWaitingToContinue
  if (exchange.turn.mayBegin && !socket.destroyed) response.assignSocket(socket)
  return response
}

/** Whether the application has written to a response, or changed how it is written. */
export function isWrittenTo(response: InternalResponse): boolean {
  if (response.headersSent || response.writableEnded || response.outputData.length > 0) return true
  if (response.statusMessage !== undefined && response.statusMessage !== '') return true
  for (const [name, method] of WRITING) if (Reflect.get(response, name) !== method) return true
  return false
}

/** Ends a response for those who listen to it, once. */
export function emitClose(response: InternalResponse): void {
  if (response._closed) return
  response.destroyed = true
  response._closed = true
  response.emit('close')
}
