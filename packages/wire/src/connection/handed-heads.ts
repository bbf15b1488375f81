import type { Socket } from 'node:net'

interface HandedHead {
  /** when the head, or the connection, began */
  readonly since: number
  readonly written: number
}

/**
 * Tracks heads that were incomplete when their connections were handed over to Node. Node would restart their
 * `headersTimeout`; these keep the original deadline.
 */
export class HandedHeads {
  readonly #heads = new Map<Socket, HandedHead>()

  get size(): number {
    return this.#heads.size
  }

  add(socket: Socket, since: number): void {
    this.#heads.set(socket, { since, written: socket.bytesWritten })
  }

  /**
   * Forgets the heads that are complete, and expires the late ones.
   *
   * @param limit - the time that a head has, in milliseconds
   * @param expire - gets the sockets of heads that have not arrived in time
   */
  sweep(now: number, limit: number, expire: (socket: Socket) => void): void {
    for (const [socket, head] of this.#heads) {
      const isOver = now - head.since >= limit
      if (!isIncomplete(socket, head)) this.#heads.delete(socket)
      else if (isOver) {
        this.#heads.delete(socket)
        expire(socket)
      }
    }
  }
}

/** Node's parser has a request from the end of its head to the end of its body, and then its response is written. */
function isIncomplete(socket: Socket, { written }: HandedHead): boolean {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (socket.destroyed || typeof parser !== 'object' || parser === null) return false
  const hasRequest = Reflect.get(parser, 'incoming') != null || Reflect.get(socket, '_httpMessage') != null
  return !hasRequest && socket.bytesWritten === written
}
