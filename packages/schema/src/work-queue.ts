/** Work that can run now, or when its result is first needed. */
export type Work = () => void

/** Work that waits until the application is idle, first in first out. */
export class WorkQueue {
  #pending: Work[] = []
  #next: number = 0
  #last: readonly Work[] = []

  /** Sets the work that runs once, in this order, after everything else. */
  addLast(works: readonly Work[]): void {
    this.#last = works
  }

  add(work: Work): void {
    this.#pending.push(work)
  }

  /**
   * Runs one piece of work; returns false when there is none. Errors are ignored: the request that needs the result
   * runs the work again and gets the error.
   */
  runNext(): boolean {
    const work = this.#pending[this.#next]
    if (work !== undefined) {
      this.#next += 1
      attempt(work)
      return true
    }
    this.#pending = [...this.#last]
    this.#last = []
    this.#next = 0
    return this.#pending.length > 0 && this.runNext()
  }
}

function attempt(work: Work): void {
  try {
    work()
  } catch {
    // See runNext.
  }
}
