import type { Buffer } from 'node:buffer'

import type { ContextOf } from './context.ts'
import type { BodyStream } from './hooks.ts'
import type { FastifyRequest } from './fastify/interfaces.ts'
import type { ContextRequest } from './request-of.ts'

/**
 * The action for a key in a JSON body that could poison a prototype: reject the body (400), remove the key, or keep it.
 */
export type PoisoningAction = 'error' | 'remove' | 'ignore'

/** Calls back from a parser in callback style. */
export type ParserDone = (error: Error | null, body?: unknown) => void

/** Parses a body that was read in full. */
export type BodyParser<Raw extends string | Buffer, Request = FastifyRequest> = (
  request: Request,
  body: Raw,
  done: ParserDone,
) => unknown

/** Parses a body from its stream. */
export type StreamParser<Request = FastifyRequest> = (
  request: Request,
  payload: BodyStream,
  done: ParserDone,
) => unknown

/** A media type, a list of media types, or a regular expression that matches media types. */
export type MediaTypes = string | readonly string[] | RegExp

/** A body that the framework reads, as text or as bytes. */
export interface ParseOptions<As extends 'string' | 'buffer'> {
  /** what the parser gets: the body as text, or as bytes */
  parseAs: As
  /** the largest body in bytes; that of the app by default */
  bodyLimit?: number
}

/** A body that the parser gets as a stream. */
export interface StreamOptions {
  /** left out: the parser reads the stream itself */
  parseAs?: undefined
  /** the largest body in bytes; that of the app by default */
  bodyLimit?: number
}

/**
 * `addContentTypeParser`: adds a body parser for media types. `Parameters`, with which libraries take its options, reads
 * the last form; it is `never` if that form depends on the context.
 */
export interface AddParser {
  <T>(this: T, contentType: MediaTypes, parser: StreamParser<ContextRequest<ContextOf<T>>>): T
  <T>(
    this: T,
    contentType: MediaTypes,
    options: StreamOptions,
    parser: StreamParser<ContextRequest<ContextOf<T>>>,
  ): T
  <T>(
    this: T,
    contentType: MediaTypes,
    options: ParseOptions<'string'>,
    parser: BodyParser<string, ContextRequest<ContextOf<T>>>,
  ): T
  <T>(
    this: T,
    contentType: MediaTypes,
    options: ParseOptions<'buffer'>,
    parser: BodyParser<Buffer, ContextRequest<ContextOf<T>>>,
  ): T
  <T>(
    this: T,
    contentType: MediaTypes,
    options: ParseOptions<'string' | 'buffer'>,
    parser: BodyParser<string | Buffer>,
  ): T
}

/** The methods of an instance for body parsers. */
export interface ParserMembers {
  /**
   * Adds a body parser for media types to this context and its children. With `parseAs` the framework reads
   * the body, up to `bodyLimit`; without it the parser gets the stream.
   *
   * @throws `CLO_ERR_CTP_ALREADY_PRESENT`, `CLO_ERR_CTP_INVALID_TYPE`, `CLO_ERR_CTP_EMPTY_TYPE`,
   * `CLO_ERR_CTP_INVALID_HANDLER`, `CLO_ERR_CTP_INVALID_PARSE_TYPE`
   * @example
   * ```ts
   * app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request, body) => body.split('\n'))
   * ```
   */
  readonly addContentTypeParser: AddParser
  /** Whether this context has a body parser for a media type. */
  hasContentTypeParser(contentType: string | RegExp): boolean
  /** Removes body parsers from this context. */
  removeContentTypeParser(contentType: string | RegExp | readonly (string | RegExp)[]): void
  /** Removes all body parsers from this context, including those of the framework. */
  removeAllContentTypeParsers(): void
  /** Returns the JSON parser of the framework with the given actions on keys that could poison a prototype. */
  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): BodyParser<string>
  /** The plain text parser of the framework. */
  readonly defaultTextParser: BodyParser<string>
}
