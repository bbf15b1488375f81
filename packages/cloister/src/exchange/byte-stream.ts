/**
 * A stream of bytes in the shape of Node's `Readable`, as far as the core uses it. Transports make one of what they
 * have; hooks and parsers of the application get it as it is.
 */
export interface ByteStream extends AsyncIterable<unknown> {
  readonly readableObjectMode?: boolean
  readonly readableEnded?: boolean
  readonly readableLength?: number
  /** bytes read so far, before decoding; set by streams that decode a body */
  receivedEncodedLength?: number
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  emit(event: string, ...args: unknown[]): boolean
  listenerCount(event: string): number
  /** Node's way to add bytes to a stream; other streams have none */
  push?(chunk: unknown, encoding?: BufferEncoding): boolean
  resume(): unknown
}

/** A stream of the web platform (WHATWG Streams), as far as the core uses it. */
export interface WebStream {
  readonly locked: boolean
  getReader(): unknown
  cancel(reason?: unknown): Promise<void>
}
