/** Returns the bytes of a buffer, a typed array or an `ArrayBuffer`, without a copy; `null` for everything else. */
export function toBytes(value: unknown): Buffer | null {
  if (Buffer.isBuffer(value)) return value
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? Buffer.from(value) : null
}

/** Returns a piece of a stream as bytes: text, and what is neither text nor bytes, in UTF-8. */
export function chunkBytes(chunk: unknown): Buffer {
  return toBytes(chunk) ?? Buffer.from(String(chunk))
}

/** Joins pieces of a body. */
export function joinBytes(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts)
}

/** Decodes UTF-8: invalid bytes become U+FFFD, and a byte order mark is kept. */
export function utf8Text(bytes: Uint8Array): string {
  const own = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return own.toString('utf8')
}

/** Returns the length of a text in bytes. */
export function byteLengthOf(text: string, encoding?: BufferEncoding): number {
  return Buffer.byteLength(text, encoding)
}
