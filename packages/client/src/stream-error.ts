import type { Failure } from './types.ts'

/** The error that ends a stream of events whose handler has failed; earlier events are valid. */
export class StreamError extends Error {
  /** The error response from the app. */
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message)
    this.name = 'StreamError'
    this.failure = failure
  }
}
