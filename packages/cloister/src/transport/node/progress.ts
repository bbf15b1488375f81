import type { Socket } from 'node:net'

/** Tells whether a client reads what is written to it. */
export class Progress {
  #seen = ''
  #since = 0

  /** The time since the client has last read anything; 0 while there is nothing for it to read. */
  stalledFor(socket: Socket, now: number): number {
    if (socket.writableLength === 0) {
      this.#seen = ''
      return 0
    }
    const seen = `${socket.bytesWritten} ${socket.writableLength} ${queueSize(socket)}`
    if (seen !== this.#seen) {
      this.#seen = seen
      this.#since = now
    }
    return now - this.#since
  }
}

/** What the system has yet to take of the write under way: a single large one is read in many pieces. */
function queueSize(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle')
  if (typeof handle !== 'object' || handle === null) return 0
  const size: unknown = Reflect.get(handle, 'writeQueueSize')
  return typeof size === 'number' ? size : 0
}
