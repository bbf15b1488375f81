/** The codes of a {@link StateError}. */
export type StateErrorCode =
  /** An option, a key, a time or a number of a call is not valid. */
  | 'CLO_ERR_STATE_OPTION'
  /** A value is larger than 1 MiB, or a text that not every store keeps. */
  | 'CLO_ERR_STATE_VALUE'
  /** The store does not respond in time; a change may have happened. */
  | 'CLO_ERR_STATE_DEADLINE'
  /** The store failed; its error is the `cause`. A change may have happened. */
  | 'CLO_ERR_STATE_FAILED'
  /** The memory of `memoryState` is full. */
  | 'CLO_ERR_STATE_FULL'

/** An operation of a state that failed. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
  /** Which failure it is. */
  readonly code: StateErrorCode
  /** For error handlers, which respond with the status of an error. */
  readonly statusCode: number

  /** Creates the error. */
  constructor(code: StateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.statusCode = code === 'CLO_ERR_STATE_OPTION' || code === 'CLO_ERR_STATE_VALUE' ? 500 : 503
  }
}
