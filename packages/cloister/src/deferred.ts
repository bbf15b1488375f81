type Fulfilled = (value: unknown) => void
type Rejected = (error: unknown) => void

/**
 * A lazy, single-use thenable. `then` starts the work; the continuation runs synchronously where the work ends,
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
