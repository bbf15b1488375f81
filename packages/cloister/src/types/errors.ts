import type { CloisterError, ErrorCode } from '../errors.ts'

export type { CloisterError, ErrorCode }

/** A part of the request as errors name it. */
export type ValidationContext = 'body' | 'params' | 'query' | 'headers'

/** One violation, in the format of Ajv. */
export interface ValidationIssue {
  /** The keyword that was violated. */
  keyword: string
  /** The JSON pointer to the value that is not valid. */
  instancePath: string
  /** The JSON pointer to the keyword in the schema. */
  schemaPath: string
  /** Details of the violation; the keyword determines which. */
  params: Record<string, unknown>
  /** The violation in words. */
  message?: string
}

/**
 * The error that an error handler gets. A thrown value that is no error is wrapped, with the value as `cause`, so this
 * is always an `Error`. The members that errors of applications may have are optional here.
 */
export interface CaughtError extends Error {
  /** Code of the error; those of the framework are suggested. */
  code?: ErrorCode | (string & Record<never, never>)
  /** Status of the response. */
  statusCode?: number
  /** On validation errors only: the report of the validator. */
  validation?: ValidationIssue[]
  /** On validation errors only: the part of the request. */
  validationContext?: ValidationContext
}

/** The error of a request that is not valid: its status is 400, unless a formatter set another. */
export interface ValidationError extends CaughtError {
  /** The report of the validator: with the default validator, a list of violations. */
  validation: ValidationIssue[]
}

/** A violation in problem details. */
export interface ProblemIssue {
  /** The part of the request. */
  part: string
  /** The JSON pointer to the value that is not valid (RFC 6901); empty for the part itself. */
  pointer: string
  /** The keyword of JSON Schema that was violated; empty if another library validated. */
  keyword: string
  /** The violation in words. */
  message: string
  /** Details of the violation; the keyword determines which. */
  params: Readonly<Record<string, unknown>>
}

/** Problem details (RFC 9457 section 3), with the members that the framework adds: `code` and `errors`. */
export interface ProblemDetails {
  /** A URI that identifies the kind of problem, or `about:blank`. */
  type: string
  /** The kind of problem in words: the reason phrase of the status. */
  title: string
  /** The status of the response. */
  status: number
  /** This problem in words; absent if clients must not see it. */
  detail?: string
  /** The path of the request; absent if the bytes are no request, or the app is closing. */
  instance?: string
  /** The code of the error, as in `CLO_ERR_VALIDATION`. */
  code?: string
  /** The violations of a request that is not valid. */
  errors?: readonly ProblemIssue[]
}
