/** The codes of an {@link OperateError}. */
export type OperateErrorCode =
  /** An option has the wrong type or name. */
  | 'CLO_ERR_OPERATE_OPTION'
  /** Two readiness checks have the same name. */
  | 'CLO_ERR_OPERATE_CHECK'

/** A mistake in the options or the checks; during registration it ends the boot. */
export class OperateError extends Error {
  override readonly name: string = 'OperateError'
  /** Which mistake it is. */
  readonly code: OperateErrorCode

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: OperateErrorCode, problem: string) {
    super(problem)
    this.code = code
  }
}
