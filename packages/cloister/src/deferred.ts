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

  /** The same work, whose error is taken care of. */
  recover(take: Rejected): Deferred {
    return new Deferred((fulfilled, rejected) => {
      this.#start(fulfilled, (error) => {
        try {
          take(error)
        } catch (failure) {
          rejected(failure)
          return
        }
        fulfilled(undefined)
      })
    })
  }
}

/** Tells something of ours that is waited for, from a value that happens to have a `then`. */
export function isPending(value: unknown): value is Promise<unknown> | Deferred {
  return value instanceof Promise || value instanceof Deferred
}

/** Goes on with the outcome of something that is waited for. */
export function andThen(
  pending: PromiseLike<unknown> | Deferred,
  next: (value: unknown) => unknown,
): unknown {
  if (pending instanceof Promise) return pending.then(next)
  // A reply, or a thenable of some library: its `then` may return nothing.
  return new Deferred((fulfilled, rejected) => {
    pending.then((value) => {
      let following: unknown
      try {
        following = next(value)
      } catch (error) {
        rejected(error)
        return
      }
      if (isPending(following)) following.then(fulfilled, rejected)
      else fulfilled(following)
    }, rejected)
  })
}
