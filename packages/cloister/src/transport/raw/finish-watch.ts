import { prematureClose } from '@cloister/wire/message/internal'
import type { ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'

import { look } from '../../foreign.ts'

/** Called with `null` when a response is complete, otherwise with the error that ended it. */
export type FinishCallback = (error: Error | null) => void

/**
 * Waits for the end of one response and calls back once. `finished` of `node:stream` does this for any stream, but
 * costs more than most handlers; a response needs two or three events.
 *
 * It avoids second listeners of an event. Node keeps two listeners in an array. V8 soon allocates these arrays in old
 * space, because those of sockets live long, and each of them keeps its whole request alive until the next full
 * collection.
 */
export class FinishWatch {
  /** `undefined` until the end */
  #outcome: Error | null | undefined = undefined
  /** most responses have a single callback */
  #first: FinishCallback | null = null
  #others: FinishCallback[] | null = null
  #failed: ((error: unknown) => void) | null = null

  /** @param isServed - the response belongs to an HTTP/1.1 server of Node, where `close` follows every `finish` */
  constructor(response: ServerResponse, isServed: boolean) {
    const close = (): void => this.#tell(response.writableFinished ? null : prematureClose())
    response.on('close', close)
    // A response that a plugin creates by hand to reject an upgrade emits `finish` but never `close`. Responses of a
    // server have the server's own `finish` listener.
    if (!isServed || response.listenerCount('finish') === 0) {
      response.on('finish', () => this.#tell(isCut(response) ? prematureClose() : null))
    }
    // The compatibility interface waits for the end of the stream, which waits for the rest of the request. Its readers
    // wait for the response.
    const stream = look(response, 'stream')
    if (look(stream, 'endAfterHeaders') === false && stream instanceof Duplex)
      stream.on('finish', () => {
        // The stream of a client that has left finishes, too.
        if (response.writableEnded && !isCut(response)) this.#tell(null)
      })
    // Never removed: a write after the end must not cause an uncaught error.
    response.on('error', (error) => {
      this.#tell(response.writableFinished ? null : error)
      this.#failed?.(error)
    })
    if (response.closed) process.nextTick(close)
  }

  /** Adds a callback. After the end it is called in the next tick. */
  add(callback: FinishCallback): void {
    if (this.#outcome !== undefined) process.nextTick(callback, this.#outcome)
    else if (this.#first === null) this.#first = callback
    else if (this.#others === null) this.#others = [callback]
    else this.#others.push(callback)
  }

  /** Calls back with each error of the response, including those after its end. */
  onError(callback: (error: unknown) => void): void {
    this.#failed = callback
  }

  #tell(outcome: Error | null): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    this.#first?.(outcome)
    if (this.#others !== null) for (const callback of this.#others) callback(outcome)
  }
}

/**
 * Returns whether a response was cut off. An HTTP/2 response emits `finish` when its stream closes, even if the client
 * has not received all of it.
 */
function isCut(response: ServerResponse): boolean {
  const stream = look(response, 'stream')
  if (look(stream, 'aborted') === true) return true
  return Number(look(stream, 'rstCode') ?? 0) !== 0 && look(stream, 'writableFinished') !== true
}
