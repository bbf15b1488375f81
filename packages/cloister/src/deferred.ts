type Fulfilled = (value: unknown) => void
type Rejected = (error: unknown) => void

/**
 * Work that starts when somebody waits for it, and tells its outcome at once: what follows runs where the work ends,
 * in its asynchronous context. It is waited for once.
 */
export class Deferred {
  readonly #start: (fulfilled: Fulfilled, rejected: Rejected) => void

  constructor(start: (fulfilled: Fulfilled, rejected: Rejected) => void) {
    this.#start = start
  }
  then(fulfilled: Fulfilled, rejected: Rejected): void {
    this.#start(fulfilled, rejected)
  }
}
