import type { ServerResponse } from 'node:http'

/** Called with `null` when an answer is complete, else with why it can no longer be. */
export type FinishCallback = (error: Error | null) => void

/**
 * Waits for the end of one response and tells all who asked, once. What `finished` of `node:stream` does for any
 * stream costs more than most handlers; a response needs three events.
 */
export class FinishWatch {
  readonly #response: ServerResponse
  /** `undefined` until the end */
  #outcome: Error | null | undefined
  /** most answers have one who asks */
  #first: FinishCallback | null
  #others: FinishCallback[] | null

  constructor(response: ServerResponse) {
    this.#response = response
    this.#outcome = undefined
    this.#first = null
    this.#others = null
    // A response that a plugin makes by hand, to refuse an upgrade, emits `finish` and never `close`.
    response.on('finish', () => this.#tell(null))
    const end = (error?: Error): void => this.#tell(error ?? this.#outcomeOnClose())
    response.on('close', end)
    // It stays: a write after the end must not become an uncaught error.
    response.on('error', end)
    if (response.closed) process.nextTick(end)
  }

  /** Adds somebody to tell; where the end has come already, in the next turn of the event loop. */
  add(callback: FinishCallback): void {
    if (this.#outcome !== undefined) process.nextTick(callback, this.#outcome)
    else if (this.#first === null) this.#first = callback
    else if (this.#others === null) this.#others = [callback]
    else this.#others.push(callback)
  }

  #outcomeOnClose(): Error | null {
    if (this.#outcome !== undefined || this.#response.writableFinished) return null
    return Object.assign(new Error('Premature close'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
  }

  #tell(outcome: Error | null): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    this.#first?.(outcome)
    if (this.#others !== null) for (const callback of this.#others) callback(outcome)
  }
}
