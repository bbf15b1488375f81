import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { asInternalRequest, asInternalResponse, emitClose, isDelimited } from './internals.ts'

/**
 * Resets a TCP connection. Over TLS it is destroyed instead, because an end without an alert means the same (RFC
 * 8446 section 6.1), and resetting the TCP connection below leaves a libuv request open that keeps a worker of Node
 * from ending.
 */
export function reset(socket: Socket): void {
  if (socket.destroyed || socket.remoteAddress === undefined || 'encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

/**
 * Ends the connection within a response that Node's code writes. What has been written is still sent if the head says
 * where the content ends; otherwise only a reset shows the cut.
 */
export function cutResponse(response: ServerResponse, socket: Socket): void {
  if (!isDelimited(response)) {
    reset(socket)
    return
  }
  const cut = asInternalResponse(response)
  cut.destroyed = true
  socket.destroySoon()
  process.nextTick(emitClose, cut)
}

/**
 * Fails a request that never will be whole, once and with the error of Node's requests. Its connection stays as it is:
 * it may still carry a response.
 *
 * @param cause - the fault in the bytes, if there is one
 */
export function failRequest(request: IncomingMessage, cause?: Error): void {
  if (request.destroyed) return
  // Without a listener the error would end the process.
  if (request.listenerCount('error') === 0) request.on('error', () => {})
  request._destroy = abandon
  const aborted = cause === undefined ? new Error('aborted') : new Error('aborted', { cause })
  request.destroy(Object.assign(aborted, { code: 'ECONNRESET' }))
}

/** Does what Node's method does, but for the end of the connection. */
function abandon(this: IncomingMessage, error: Error | null, callback: (error: Error | null) => void): void {
  asInternalRequest(this).aborted = true
  this.emit('aborted')
  process.nextTick(callback, error)
}
