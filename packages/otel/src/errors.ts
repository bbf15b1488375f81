/** The codes of an {@link OtelError}. */
export type OtelErrorCode =
  /** An option has the wrong type or name, or its function returned a wrong value. */
  | 'CLO_ERR_OTEL_OPTION'
  /** The route option `otel` is neither `true` nor `false`. */
  | 'CLO_ERR_OTEL_ROUTE_OPTION'

/** A mistake in the options of the plugin or of a route; it ends the boot. */
export class OtelError extends Error {
  override readonly name: string = 'OtelError'
  /** Which mistake it is. */
  readonly code: OtelErrorCode

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: OtelErrorCode, problem: string) {
    super(problem)
    this.code = code
  }
}
