import type { Server as HttpServer } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

import { missingInternal } from '../raw/internals.ts'

/** A listener for the connections of a server. */
export type ConnectionListener = (this: HttpServer, socket: Socket) => void

/** Returns the event with which a server emits connections that carry HTTP. */
export function connectionEvent(server: HttpServer): 'connection' | 'secureConnection' {
  return 'setSecureContext' in server ? 'secureConnection' : 'connection'
}

/** Returns Node's own connection listener, which parses and responds; `null` unless there is exactly one. */
export function nodeListener(server: HttpServer): ConnectionListener | null {
  const listeners = server
    .listeners(connectionEvent(server))
    .filter(({ name }) => name === 'connectionListener')
  const [listener] = listeners
  if (listeners.length !== 1 || listener === undefined) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- listeners of this event get the socket
  return listener as ConnectionListener
}

/**
 * Returns why this engine cannot serve a server, as text for a log line; `null` when it can.
 *
 * @param server - a server of `node:http` or `node:https`
 */
export function whyNot(server: HttpServer): string | null {
  if (!(server instanceof NetServer)) return 'the server is not one of node:http'
  if (nodeListener(server) === null) return 'the server has no connection listener of Node, or several'
  const missing = missingInternal()
  return missing === null ? null : `this version of Node has no ${missing}`
}
