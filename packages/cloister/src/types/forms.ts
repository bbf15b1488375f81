/**
 * A file of a form (`multipart/form-data`): a property `{ type: 'string', format: 'binary' }` of the body schema. It has
 * members of the `File` of the web platform.
 *
 * A file whose `maxLength` is above `bodyLimit` streams: the handler runs as soon as the file begins, and the client
 * waits until the handler reads it. Any other file is a `File`, complete before the handler runs.
 */
export interface FormFile {
  /** The name of the file as the client sent it, without folders. Never use it as a path. */
  readonly name: string
  /** The media type that the client states; nothing has looked at the content. */
  readonly type: string
  /**
   * The content as a web stream; a file that streams has it once. `Readable.fromWeb` makes a stream of Node of it.
   *
   * The stream fails with the error of the form, when the file is longer than its `maxLength`, or when what follows it
   * in the form is not valid.
   */
  stream(): ReadableStream<Uint8Array>
  /** Reads the whole content as text in UTF-8. */
  text(): Promise<string>
  /** Reads the whole content. */
  arrayBuffer(): Promise<ArrayBuffer>
}

/**
 * The files of a property that is an array, for `for await`. Files that stream come one after the other; what the loop
 * has not read of one is skipped. Files that do not stream are an array.
 */
export type FormFiles = readonly FormFile[] | AsyncIterable<FormFile>
