import type { ValidationIssue } from './errors.ts'

/** A part of the request as compilers and validators name it. */
export type HttpPart = 'body' | 'headers' | 'params' | 'querystring'

/** A part of the request; the query has two names. */
export type PartName = HttpPart | 'query'

/** What a compiler is told about the schema it compiles. */
export interface CompilerInput<Schema = unknown> {
  /** The schema. */
  schema: Schema
  /** Method of the route. */
  method: string
  /** Path of the route. */
  url: string
  /** The part of the request. */
  httpPart?: string
  /** The media type, when the body has a `content` map. */
  contentType?: string
}

/** What a serializer compiler is told about the schema it compiles. */
export interface SerializerInput<Schema = unknown> {
  /** The schema. */
  schema: Schema
  /** Method of the route. */
  method: string
  /** Path of the route. */
  url: string
  /** Status, class or `default`. */
  httpStatus?: string
  /** The media type, when the response has a `content` map. */
  contentType?: string
}

/** The outcome of a custom validator; see the three ways of answering. */
export type ValidationOutcome =
  | boolean
  | { readonly value?: unknown; readonly error?: undefined }
  | { readonly error: unknown; readonly value?: unknown }
  | undefined
  | void

/** Validates one part; may be asynchronous. */
export interface ValidatorFunction {
  (data: never): ValidationOutcome | PromiseLike<unknown>
  /** With a boolean outcome: what is wrong. */
  errors?: readonly ValidationIssue[] | null
}

/** Makes the validator of a part. */
export type ValidatorCompiler<Schema = unknown> = (input: CompilerInput<Schema>) => ValidatorFunction

/** Makes the serializer of a response. */
export type SerializerCompiler<Schema = unknown> = (input: SerializerInput<Schema>) => (data: never) => string

/** A validator that was compiled on demand. */
export interface InputValidator {
  (input: unknown): boolean
  /** What was wrong with the last input. */
  errors?: ValidationIssue[] | null
}

/** Makes the error of a failed validation. */
export type SchemaErrorFormatter<This = object> = (
  this: This,
  errors: ValidationIssue[],
  dataVar: HttpPart,
) => Error

/** Where shared schemas live, and who compiles. */
export interface SchemaControllerOptions {
  /** Makes the store of a context. */
  bucket?: (parentSchemas?: unknown) => {
    add(schema: never): unknown
    getSchema(id: string): unknown
    getSchemas(): Record<string, unknown>
  }
  /** Factories of compilers. */
  compilersFactory?: {
    buildValidator?: (externalSchemas: never, options: never) => ValidatorCompiler
    buildSerializer?: (externalSchemas: never, options: never) => SerializerCompiler
  }
}
