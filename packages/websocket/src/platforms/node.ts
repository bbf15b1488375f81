import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { Duplex } from 'node:stream'
import type { SocketConnection } from '../connection.ts'
import type { OpenOnNode } from '../handshake.ts'

const CLOSE_MS = 3000

/** The part of `ws` that is used. */
interface WebSocketModule {
  readonly WebSocketServer: new (options: {
    readonly noServer: true
    readonly clientTracking: false
    readonly maxPayload: number
    readonly closeTimeout: number
    readonly handleProtocols: () => string | false
  }) => {
    on(event: 'headers', listener: (lines: string[]) => void): void
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      callback: (socket: SocketConnection) => void,
    ): void
  }
}

type RequireWs = (name: 'ws') => WebSocketModule

// The build replaces this `require` with that of CommonJS, so that bundlers find the library.
const require: RequireWs = createRequire(import.meta.url)

/** Opens a WebSocket of `ws`, which is loaded for the first one. */
export const openOnNode: OpenOnNode = (upgrade, { protocol, headers, maxPayload }, opened) => {
  const { WebSocketServer } = require('ws')
  const taken = upgrade.takeConnection()
  if (taken === null) return false
  // The options come from the route, the headers from this reply.
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload,
    closeTimeout: CLOSE_MS,
    handleProtocols: () => protocol || false,
  })
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(headers))
      for (const one of [value].flat()) lines.push(`${name}: ${String(one)}`)
  })
  server.handleUpgrade(taken.request, taken.socket, taken.head, opened)
  return true
}
