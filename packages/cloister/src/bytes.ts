import { isUtf8 as isUtf8Bytes } from 'node:buffer'

/** Returns a buffer, a typed array or an `ArrayBuffer` as bytes without copying them; `null` for any other value. */
export function toBytes(value: unknown): Buffer | null {
  if (Buffer.isBuffer(value)) return value
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return value instanceof ArrayBuffer ? Buffer.from(value) : null
}

/** Returns a chunk of a stream as bytes. Anything except bytes is converted to text and encoded in UTF-8. */
export function chunkBytes(chunk: unknown): Buffer {
  return toBytes(chunk) ?? Buffer.from(String(chunk))
}

export function joinBytes(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts)
}

/** Decodes UTF-8. Invalid bytes become U+FFFD; a byte order mark is kept. */
export function utf8Text(bytes: Uint8Array): string {
  const own = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return own.toString('utf8')
}

/** Returns whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  return isUtf8Bytes(bytes)
}

export function byteLengthOf(text: string, encoding?: BufferEncoding): number {
  return Buffer.byteLength(text, encoding)
}

/** Returns the first place of `wanted` in bytes from `start` on, or -1. */
export function indexOfBytes(bytes: Uint8Array, wanted: Uint8Array, start: number): number {
  const own = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return own.indexOf(wanted, start)
}
