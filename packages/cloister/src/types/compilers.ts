import type { ValidationIssue } from './errors.ts'

/** A part of the request, as compilers and validators name it. */
export type HttpPart = 'body' | 'headers' | 'params' | 'querystring'

/** A part of the request. The query has two names. */
export type PartName = HttpPart | 'query'

/** The fields that every compiler gets with a schema. */
export interface SchemaInput<Schema = unknown> {
  /** The schema to compile. */
  schema: Schema
  /** Method of the route. */
  method: string
  /** Path of the route. */
  url: string
  /** The media type, if the body or the response has a `content` map. */
  contentType?: string
}

/** The argument of a validator compiler. */
export interface CompilerInput<Schema = unknown> extends SchemaInput<Schema> {
  /** The part of the request: `body`, `querystring`, `params`, `headers` or `cookies`. */
  httpPart?: string
}

/** The argument of a serializer compiler. */
export interface SerializerInput<Schema = unknown> extends SchemaInput<Schema> {
  /** The status, class (`2xx`) or `default` of the response. */
  httpStatus?: string
}

/**
 * The result of a custom validator: a boolean (with `errors` on the function), `{ value }` with the value to
 * use, or `{ error }`.
 */
export type ValidationOutcome =
  | boolean
  | { readonly value?: unknown; readonly error?: undefined }
  | { readonly error: unknown; readonly value?: unknown }
  | undefined
  | void

/** Validates a part of a request. It may be asynchronous. */
export interface ValidatorFunction {
  // oxlint-disable-next-line typescript/no-explicit-any -- compilers return functions of one type, tools call them with any value
  (data: any): ValidationOutcome | PromiseLike<unknown>
  /** The violations, after the result `false`. */
  errors?: readonly ValidationIssue[] | null
}

/** Compiles a request schema to a validator. */
export type ValidatorCompiler<Schema = unknown> = (input: CompilerInput<Schema>) => ValidatorFunction

/** Compiles a response schema to a serializer. */
export type SerializerCompiler<Schema = unknown> = (input: SerializerInput<Schema>) => (data: never) => string

/** A compiled validator, as `request.getValidationFunction` returns it. It returns whether the input is valid. */
export interface InputValidator {
  (input: unknown): boolean
  /** The violations of the last input; `null` if it was valid. */
  errors?: ValidationIssue[] | null
}

/**
 * Creates the error of a failed validation, from the violations and the part of the request. Its status is
 * 400 unless it sets `statusCode`.
 */
export type SchemaErrorFormatter<This = object> = (
  this: This,
  errors: ValidationIssue[],
  dataVar: HttpPart,
) => Error

/** The option `schemaController`: replaces the store of shared schemas and the compilers. */
export interface SchemaControllerOptions {
  /** Creates the store of the shared schemas of a context; receives the schemas of the parent context. */
  bucket?: (parentSchemas?: unknown) => {
    add(schema: never): unknown
    getSchema(id: string): unknown
    getSchemas(): Record<string, unknown>
  }
  /**
   * Creates validator and serializer compilers; receives the shared schemas of a context and the options of
   * the app.
   */
  compilersFactory?: {
    buildValidator?: (externalSchemas: never, options: never) => ValidatorCompiler
    buildSerializer?: (externalSchemas: never, options: never) => SerializerCompiler
  }
}
