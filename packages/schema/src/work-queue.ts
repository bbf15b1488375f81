/** Work that can be done now or when its result is first needed. */
export type Work = () => void

/** Work put off until the application is idle, first come first served. */
export class WorkQueue {
  #pending: Work[] = []
  #next: number = 0
  #last: Work | undefined = undefined

  /** Sets what is done once after everything else. */
  addLast(work: Work): void {
    this.#last = work
  }

  add(work: Work): void {
    this.#pending.push(work)
  }

  /**
   * Does one piece of work; false when there was none. Work that fails is no error here: whoever needs
   * its result does it again and gets the error.
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
    const last = this.#last
    this.#last = undefined
    if (last === undefined) return false
    attempt(last)
    return true
  }
}

function attempt(work: Work): void {
  try {
    work()
  } catch {
    // See runNext.
  }
}
