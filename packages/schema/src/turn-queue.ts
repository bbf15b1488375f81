import type { Work } from './work-queue.ts'

/** Work that waits for the event loop: one piece per turn, after the responses that are being written. */
export class TurnQueue {
  readonly #works: Work[] = []
  #isScheduled: boolean = false

  /** Adds work. A piece that throws is dropped: what it would have replaced stays. */
  add(work: Work): void {
    this.#works.push(work)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || this.#works.length === 0) return
    this.#isScheduled = true
    setImmediate(() => this.#runNext()).unref()
  }

  #runNext(): void {
    this.#isScheduled = false
    try {
      this.#works.shift()?.()
    } catch {
      // See add.
    }
    this.#schedule()
  }
}
