/** Work that can run now, or when its result is first needed. */
export type Work = () => void

/** Work that waits until the application is idle, first in first out. */
export class WorkQueue {
  #pending: Work[] = []
  #next: number = 0

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
    this.#pending = []
    this.#next = 0
    return false
  }
}

function attempt(work: Work): void {
  try {
    work()
  } catch {
    // See runNext.
  }
}
