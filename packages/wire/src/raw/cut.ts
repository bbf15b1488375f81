import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { asInternalResponse, emitClose, isDelimited } from './internals.ts'

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
