import { prematureClose } from '@cloister/wire/message'
import type { ServerResponse } from 'node:http'

import { look } from '../../foreign.ts'

/** Gets `null` when a response is complete, else the reason why it never will be. */
export type FinishCallback = (error: Error | null) => void

/**
 * Waits for the end of one response and calls back, once. What `finished` of `node:stream` does for any
 * stream costs more than most handlers; a response needs two events, or three.
 *
 * No event gets a second listener where it can be helped. Node keeps two listeners in an array, and V8 soon allocates
 * these arrays among the old objects, since those of sockets live long. Each of them then keeps its whole request
 * alive until the next full collection.
 */
export class FinishWatch {
  /** `undefined` until the end */
  #outcome: Error | null | undefined
  /** most responses have a single callback */
  #first: FinishCallback | null
  #others: FinishCallback[] | null
  #failed: ((error: unknown) => void) | null

  /** @param isServed - the response is one of a server of Node for HTTP/1.1, whose every `finish` is followed by `close` */
  constructor(response: ServerResponse, isServed: boolean) {
    this.#outcome = undefined
    this.#first = null
    this.#others = null
    this.#failed = null
    const close = (): void => this.#tell(response.writableFinished ? null : prematureClose())
    response.on('close', close)
    // A response that a plugin makes by hand, to refuse an upgrade, emits `finish` and never `close`. The listener
    // of the server distinguishes the others from it.
    if (!isServed || response.listenerCount('finish') === 0) {
      response.on('finish', () => this.#tell(isCut(response) ? prematureClose() : null))
    }
    // It stays: a write after the end must not become an uncaught error.
    response.on('error', (error) => {
      this.#tell(error)
      this.#failed?.(error)
    })
    if (response.closed) process.nextTick(close)
  }

  /** Adds a callback; after the end it is called in the next turn of the event loop. */
  add(callback: FinishCallback): void {
    if (this.#outcome !== undefined) process.nextTick(callback, this.#outcome)
    else if (this.#first === null) this.#first = callback
    else if (this.#others === null) this.#others = [callback]
    else this.#others.push(callback)
  }

  /** Calls back with each error of the response, after its end too. */
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

/** A response of HTTP/2 emits `finish` when its stream closes, whether its client has all of it or not. */
function isCut(response: ServerResponse): boolean {
  const stream = look(response, 'stream')
  if (look(stream, 'aborted') === true) return true
  return Number(look(stream, 'rstCode') ?? 0) !== 0 && look(stream, 'writableFinished') !== true
}
