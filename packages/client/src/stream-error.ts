import type { Failure } from './types.ts'

/** The error that ends a stream of events whose handler has failed; what came before is good. */
export class StreamError extends Error {
  /** What the app says of it. */
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'StreamError'
    this.failure = failure
  }
}
