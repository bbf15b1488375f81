import type { Connection } from './connection.ts'

/**
 * Passes the events of a socket to its connection.
 *
 * @returns a function that ends this, so that another parser can get the socket
 */
export function listenTo(connection: Connection): () => void {
  const { engine, socket } = connection
  const { readBuffer, server } = engine
  const take = (size: number): boolean => {
    const { bytes } = readBuffer
    // Listeners that count the bytes of a connection; they may keep them.
    if (socket.listenerCount('data') > 0) socket.emit('data', readBuffer.own(bytes, 0, size))
    connection.inbox[connection.state.receive](bytes, size)
    return true
  }
  const onData = (bytes: Buffer): void => connection.inbox[connection.state.receive](bytes, bytes.length)
  const listeners = [
    ['end', () => connection.state.endOfInput(connection)],
    ['close', () => connection.closed()],
    ['error', (error: Error) => engine.emitClientError(error, socket)],
    ['drain', () => connection.drained()],
    [
      'timeout',
      () => {
        const isHandled = connection.exchange?.timedOut() === true
        if (!server.emit('timeout', socket) && !isHandled) socket.destroy()
      },
    ],
  ] as const
  if (connection.isEncrypted || !readBuffer.attach(socket, take)) socket.on('data', onData)
  for (const [event, listener] of listeners) socket.on(event, listener)
  return () => {
    socket.off('data', onData)
    readBuffer.release(socket)
    for (const [event, listener] of listeners) socket.off(event, listener)
  }
}
