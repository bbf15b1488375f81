/** Work that can run now, or when its result is first needed. */
export type Work = () => void

/** Work for when the application is idle, first in first out. */
export class WorkQueue {
  #pending: Work[] = []
  #next: number = 0

  add(work: Work): void {
    this.#pending.push(work)
  }

  /**
   * Runs one piece of work; returns false if there is none. Ignores errors: the request that needs the result runs
   * the work again and gets the error.
   */
  runNext(): boolean {
    const work = this.#pending[this.#next]
    if (work === undefined) {
      this.#pending = []
      this.#next = 0
      return false
    }
    this.#next += 1
    try {
      work()
    } catch {
      // See above.
    }
    return true
  }
}

/** Work for the event loop: one piece per turn, after the responses that are being written. */
export class TurnQueue {
  readonly #works: Work[] = []
  #isScheduled: boolean = false

  /** Adds work. If a piece throws, it is dropped, and what it would have replaced is kept. */
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
