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

  /** Does one piece of work; false when there was none. */
  runNext(): boolean {
    const work = this.#pending[this.#next]
    if (work !== undefined) {
      this.#next += 1
      work()
      return true
    }
    this.#pending = []
    this.#next = 0
    const last = this.#last
    this.#last = undefined
    last?.()
    return last !== undefined
  }
}
