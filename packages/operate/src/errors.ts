/** Which mistake an {@link OperateError} is about. */
export type OperateErrorCode =
  /** An option has the wrong type or name. */
  | 'CLO_ERR_OPERATE_OPTION'
  /** Two readiness checks have one name. */
  | 'CLO_ERR_OPERATE_CHECK'

/** A mistake in the options or the checks; in a plugin it ends the boot. */
export class OperateError extends Error {
  override readonly name: string = 'OperateError'
  /** Which mistake it is. */
  readonly code: OperateErrorCode

  /** Makes the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: OperateErrorCode, problem: string) {
    super(problem)
    this.code = code
  }
}
