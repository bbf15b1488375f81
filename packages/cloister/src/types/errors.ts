import type { CloisterError, ErrorCode } from '../errors.ts'

export type { CloisterError, ErrorCode }

/** A part of the request as errors name it. */
export type ValidationContext = 'body' | 'params' | 'query' | 'headers'

/** One violation, in the words of the default validator. */
export interface ValidationIssue {
  /** The keyword that was violated. */
  keyword: string
  /** JSON pointer to the value. */
  instancePath: string
  /** JSON pointer to the keyword in the schema. */
  schemaPath: string
  /** Details of the keyword. */
  params: Record<string, unknown>
  /** What is wrong, in words. */
  message?: string
}

/** An error that says why a request is not valid. */
export interface ValidationError extends Error {
  /** Code of the error. */
  code?: ErrorCode | (string & Record<never, never>)
  /** Status of the answer: 400, unless a formatter chose another. */
  statusCode?: number
  /** What the validator reported: with the default validator, a list of violations. */
  validation: ValidationIssue[]
  /** The part of the request. */
  validationContext?: ValidationContext
}

/**
 * What an error handler is given. Values thrown that are not errors come wrapped, with the value as `cause`, so
 * this is an `Error` in all cases; whatever an application's own errors carry beside it is optional here.
 */
export interface CaughtError extends Error {
  /** Code of the error; those of the framework are suggested. */
  code?: ErrorCode | (string & Record<never, never>)
  /** Status of the answer. */
  statusCode?: number
  /** On validation errors alone: what the validator reported. */
  validation?: ValidationIssue[]
  /** On validation errors alone: the part of the request. */
  validationContext?: ValidationContext
}
