import type { AddContentTypeParser, BodyParser, PoisoningAction } from '../content-type.ts'

/** The members of an instance about body parsers. */
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
  readonly addContentTypeParser: AddContentTypeParser
  /** Whether this context has a body parser for a media type. */
  hasContentTypeParser(contentType: string | RegExp): boolean
  /** Removes body parsers from this context. */
  removeContentTypeParser(contentType: string | RegExp | readonly (string | RegExp)[]): void
  /** Removes all body parsers from this context, those of the framework included. */
  removeAllContentTypeParsers(): void
  /** Returns the JSON parser of the framework, with these actions on keys that could poison a prototype. */
  getDefaultJsonParser(onProto: PoisoningAction, onConstructor: PoisoningAction): BodyParser<string>
  /** The plain text parser of the framework. */
  readonly defaultTextParser: BodyParser<string>
}
