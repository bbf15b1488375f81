import type { Socket } from 'node:net'

import { isRecord } from '../../functions.ts'

/** Measures for how long a client has read nothing. */
export class Progress {
  #seen = ''
  #since = 0

  /**
   * The time since the client has last read anything.
   *
   * @param seen - changes whenever the client reads; empty while there is nothing for it to read
   */
  stalledFor(now: number, seen: string): number {
    if (seen === '' || seen !== this.#seen) {
      this.#seen = seen
      this.#since = now
    }
    return now - this.#since
  }
}

/** Changes whenever something that is written to a socket is read; empty when nothing waits. */
export function progressOf(socket: Socket): string {
  if (socket.writableLength === 0) return ''
  return `${socket.bytesWritten} ${socket.writableLength} ${String(queueSize(socket))}`
}

/** What the system has yet to take of the write under way: a single large one is read in many pieces. */
function queueSize(socket: Socket): unknown {
  const handle: unknown = Reflect.get(socket, '_handle')
  return isRecord(handle) ? handle['writeQueueSize'] : 0
}
