/** Which mistake an {@link OpenApiError} is about. */
export type OpenApiErrorCode =
  /** An option has the wrong type or name. */
  | 'CLO_ERR_OPENAPI_OPTION'
  /** A schema cannot be written in an OpenAPI document. */
  | 'CLO_ERR_OPENAPI_SCHEMA'
  /** Two routes have one `operationId`. */
  | 'CLO_ERR_OPENAPI_OPERATION_ID'
  /** Two routes would be one operation of the document. */
  | 'CLO_ERR_OPENAPI_PATH'
  /** A security scheme is named that nothing declares. */
  | 'CLO_ERR_OPENAPI_SECURITY'
  /** An optional package is not installed. */
  | 'CLO_ERR_OPENAPI_PACKAGE'

/** A mistake in the options, the routes or the schemas of an app; in a plugin it ends the boot. */
export class OpenApiError extends Error {
  override readonly name: string = 'OpenApiError'
  /** Which mistake it is. */
  readonly code: OpenApiErrorCode
  /** For error handlers that respond with the status of an error. */
  readonly statusCode: number = 500

  /** Makes the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: OpenApiErrorCode, problem: string, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
