/** The codes of an {@link OpenApiError}. */
export type OpenApiErrorCode =
  /** An option has the wrong type or name. */
  | 'CLO_ERR_OPENAPI_OPTION'
  /** A schema cannot be written in an OpenAPI document. */
  | 'CLO_ERR_OPENAPI_SCHEMA'
  /** Two routes have the same `operationId`. */
  | 'CLO_ERR_OPENAPI_OPERATION_ID'
  /** Two routes would be the same operation of the document. */
  | 'CLO_ERR_OPENAPI_PATH'
  /** A security scheme is not declared. */
  | 'CLO_ERR_OPENAPI_SECURITY'
  /** An operation of a document has no handler, or a handler has no operation. */
  | 'CLO_ERR_OPENAPI_HANDLER'
  /** A document cannot be implemented. */
  | 'CLO_ERR_OPENAPI_DOCUMENT'
  /** The errors of a document have another form than those of the framework, and the app has no error handler. */
  | 'CLO_ERR_OPENAPI_ERRORS'
  /** Credentials are missing or wrong; the status is 401. */
  | 'CLO_ERR_OPENAPI_UNAUTHORIZED'
  /** A cookie is not valid; the status is 400. */
  | 'CLO_ERR_OPENAPI_COOKIE'
  /** An optional package is not installed. */
  | 'CLO_ERR_OPENAPI_PACKAGE'

/** A mistake in the options, the routes or the schemas of an app, which ends the boot; or a mistake of a client. */
export class OpenApiError extends Error {
  override readonly name: string = 'OpenApiError'
  /** Which mistake it is. */
  readonly code: OpenApiErrorCode
  /** For error handlers, which respond with the status of an error. */
  readonly statusCode: number

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: OpenApiErrorCode, problem: string, cause?: unknown) {
    super(problem, cause === undefined ? undefined : { cause })
    this.code = code
    this.statusCode = STATUSES[code] ?? 500
  }
}

/** The statuses of errors that clients cause. */
const STATUSES: Readonly<Partial<Record<OpenApiErrorCode, number>>> = {
  CLO_ERR_OPENAPI_UNAUTHORIZED: 401,
  CLO_ERR_OPENAPI_COOKIE: 400,
}
