/**
 * A file of a form (`multipart/form-data`): a property `{ type: 'string', format: 'binary' }` of the body schema. It
 * has members of the web platform's `File`.
 *
 * If `maxLength` is larger than `bodyLimit`, the file is streamed: the handler runs as soon as the file begins, and the
 * client waits until the handler reads the file. Any other file is a complete `File`.
 */
export interface FormFile {
  /** The name of the file as the client sent it, without folders. Never use it as a path. */
  readonly name: string
  /** The media type from the client. The content is not checked. */
  readonly type: string
  /**
   * Returns the content as a web stream. The content of a streamed file can be read once. `Readable.fromWeb` converts
   * it to a Node stream.
   *
   * The stream fails with the error of the form if the file is longer than its `maxLength`, or if the rest of the form
   * is invalid.
   */
  stream(): ReadableStream<Uint8Array>
  /** Reads the whole content as text in UTF-8. */
  text(): Promise<string>
  /** Reads the whole content. */
  arrayBuffer(): Promise<ArrayBuffer>
}

/**
 * The files of an array property, for `for await`. Streamed files follow one another; the loop skips the unread rest of
 * a file. Other files are in an array.
 */
export type FormFiles = readonly FormFile[] | AsyncIterable<FormFile>
