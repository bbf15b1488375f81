/** Work that can be done now or when its result is first needed. */
export type Work = () => void

/** Work put off until the application is idle, first come first served. */
export class WorkQueue {
  #pending: Work[] = []
  #next: number = 0
  #last: readonly Work[] = []

  /** Sets what is done once, in this order, after everything else. */
  addLast(works: readonly Work[]): void {
    this.#last = works
  }

  add(work: Work): void {
    this.#pending.push(work)
  }

  /**
   * Does one piece of work; false when there was none. Work that fails is no error here: the request that needs
   * its result does it again and gets the error.
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
