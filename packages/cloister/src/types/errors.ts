import type { CloisterError, ErrorCode } from '../errors.ts'

export type { CloisterError, ErrorCode }

/** A part of the request, as errors name it. */
export type ValidationContext = 'body' | 'params' | 'query' | 'headers'

/** One violation, in the format of Ajv. */
export interface ValidationIssue {
  /** The keyword that was violated. */
  keyword: string
  /** The JSON pointer to the invalid value. */
  instancePath: string
  /** The JSON pointer to the keyword in the schema. */
  schemaPath: string
  /** The details of the violation, which depend on the keyword. */
  params: Record<string, unknown>
  /** The message of the violation. */
  message?: string
}

/**
 * The error that an error handler gets. It is always an `Error`: a thrown value of another type is wrapped as its
 * `cause`. The members that application errors may have are optional.
 */
export interface CaughtError extends Error {
  /** The code of the error. Editors suggest the codes of the framework. */
  code?: ErrorCode | (string & Record<never, never>)
  /** The status of the response. */
  statusCode?: number
  /** Only on validation errors: the report of the validator. */
  validation?: ValidationIssue[]
  /** Only on validation errors: the part of the request. */
  validationContext?: ValidationContext
}

/** The error of an invalid request. Its status is 400 unless a formatter sets another. */
export interface ValidationError extends CaughtError {
  /** The report of the validator: with the default validator, a list of violations. */
  validation: ValidationIssue[]
}

/** A violation in problem details. */
export interface ProblemIssue {
  /** The part of the request. */
  part: string
  /** The JSON pointer to the invalid value (RFC 6901); empty for the part itself. */
  pointer: string
  /** The violated JSON Schema keyword; empty if another library validated the part. */
  keyword: string
  /** The message of the violation. */
  message: string
  /** The details of the violation, which depend on the keyword. */
  params: Readonly<Record<string, unknown>>
}

/** Problem details (RFC 9457 section 3), with the members that the framework adds: `code` and `errors`. */
export interface ProblemDetails {
  /** A URI that identifies the kind of problem, or `about:blank`. */
  type: string
  /** The kind of problem as text: the reason phrase of the status. */
  title: string
  /** The status of the response. */
  status: number
  /** The message of this problem; absent if clients must not see it. */
  detail?: string
  /** The path of the request; absent if the request is malformed, or the app is closing. */
  instance?: string
  /** The code of the error, such as `CLO_ERR_VALIDATION`. */
  code?: string
  /** The violations of an invalid request. */
  errors?: readonly ProblemIssue[]
}
