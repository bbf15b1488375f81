import type { Socket } from 'node:net'

import type { Connection } from './connection.ts'
import { IDLE } from './states.ts'

/** All sockets share their listeners, which find the connection under this key. */
const CONNECTION = Symbol('connection')

interface ServedSocket extends Socket {
  /** `undefined` after another parser got the socket */
  [CONNECTION]?: Connection | undefined
}

function take(this: ServedSocket, size: number): boolean {
  const connection = this[CONNECTION]
  if (connection === undefined) return true
  const { readBuffer } = connection.engine
  // Listeners that count the bytes of a connection; they may keep them.
  if (this.listenerCount('data') > 0) this.emit('data', readBuffer.own(readBuffer.bytes, 0, size))
  connection.inbox[connection.state.receive](readBuffer.bytes, size)
  return true
}

function onData(this: ServedSocket, bytes: Buffer): void {
  const connection = this[CONNECTION]
  connection?.inbox[connection.state.receive](bytes, bytes.length)
}

function onEnd(this: ServedSocket): void {
  const connection = this[CONNECTION]
  connection?.state.endOfInput(connection)
}

function onClose(this: ServedSocket): void {
  this[CONNECTION]?.closed()
}

function onError(this: ServedSocket, error: Error): void {
  this[CONNECTION]?.engine.emitClientError(error, this)
}

function onDrain(this: ServedSocket): void {
  this[CONNECTION]?.drained()
}

function onTimeout(this: ServedSocket): void {
  const connection = this[CONNECTION]
  // Between two requests `keepAliveTimeout` alone is the limit, as on Node's server.
  if (
    connection === undefined ||
    (connection.state === IDLE && connection.engine.server.keepAliveTimeout > 0)
  )
    return
  const isHandled = connection.exchange?.timedOut() === true
  if (!connection.engine.server.emit('timeout', this) && !isHandled) this.destroy()
}

const LISTENERS = [
  ['end', onEnd],
  ['close', onClose],
  ['error', onError],
  ['drain', onDrain],
  ['timeout', onTimeout],
] as const

/** Passes the events of a socket to its connection, until `stopListening`. */
export function listenTo(connection: Connection): void {
  const { engine, socket, isEncrypted } = connection
  Reflect.set(socket, CONNECTION, connection)
  if (isEncrypted || !engine.readBuffer.attach(socket, take)) socket.on('data', onData)
  for (const [event, listener] of LISTENERS) socket.on(event, listener)
}

/** Ends this, so that another parser can get the socket. */
export function stopListening({ engine, socket }: Connection): void {
  socket.off('data', onData)
  engine.readBuffer.release(socket)
  for (const [event, listener] of LISTENERS) socket.off(event, listener)
  Reflect.set(socket, CONNECTION, undefined)
}
