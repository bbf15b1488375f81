import type { Connection } from './connection.ts'

/** Passes the events of a socket to its connection, until another parser gets the socket. */
export class SocketEvents {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
    const { socket } = connection
    const isShared = !connection.isEncrypted && connection.engine.readBuffer.attach(socket, this.#take)
    if (!isShared) socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('close', this.#onClose)
    socket.on('error', this.#onError)
    socket.on('drain', this.#onDrain)
    socket.on('timeout', this.#onTimeout)
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#connection.state.receive(this.#connection, bytes, bytes.length)
  }

  readonly #take = (size: number): boolean => {
    const { engine, socket, state } = this.#connection
    const { bytes } = engine.readBuffer
    // Listeners that count the bytes of a connection; they may keep them.
    if (socket.listenerCount('data') > 0) socket.emit('data', engine.readBuffer.own(bytes, 0, size))
    state.receive(this.#connection, bytes, size)
    return true
  }

  readonly #onEnd = (): void => {
    this.#connection.state.endOfInput(this.#connection)
  }

  readonly #onClose = (): void => this.#connection.closed()

  readonly #onError = (error: Error): void => {
    this.#connection.engine.emitClientError(error, this.#connection.socket)
  }

  readonly #onDrain = (): void => this.#connection.drained()

  readonly #onTimeout = (): void => {
    const { engine, exchange, socket } = this.#connection
    const isHandled = exchange?.timedOut() === true
    if (!engine.server.emit('timeout', socket) && !isHandled) socket.destroy()
  }

  remove(): void {
    const { socket } = this.#connection
    socket.off('data', this.#onData)
    this.#connection.engine.readBuffer.release(socket)
    socket.off('end', this.#onEnd)
    socket.off('close', this.#onClose)
    socket.off('error', this.#onError)
    socket.off('drain', this.#onDrain)
    socket.off('timeout', this.#onTimeout)
  }
}
