import type * as replaced from '../bytes.ts'

/*
 * Applications get a `Buffer` if the platform has it, as workerd does with the flag `nodejs_compat`; otherwise a
 * `Uint8Array`.
 */
const own = typeof Buffer === 'undefined' ? undefined : Buffer
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function asBuffer(bytes: Uint8Array): Uint8Array {
  return own === undefined || own.isBuffer(bytes)
    ? bytes
    : own.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** See `bytes.ts`. */
export const toBytes = (value: unknown): Uint8Array | null => {
  if (value instanceof Uint8Array) return asBuffer(value)
  if (ArrayBuffer.isView(value))
    return asBuffer(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  return value instanceof ArrayBuffer ? asBuffer(new Uint8Array(value)) : null
}

/** See `bytes.ts`. */
export const chunkBytes = (chunk: unknown): Uint8Array =>
  toBytes(chunk) ?? asBuffer(encoder.encode(String(chunk)))

/** See `bytes.ts`. */
export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.byteLength
  }
  return asBuffer(joined)
}

/** See `bytes.ts`. */
export const utf8Text: typeof replaced.utf8Text = (bytes) => decoder.decode(bytes)

const strictDecoder = new TextDecoder('utf-8', { fatal: true })

/** See `bytes.ts`. */
export const isUtf8: typeof replaced.isUtf8 = (bytes) => {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}

/** See `bytes.ts`. Only Node's streams use encodings other than UTF-8, and platforms with them have `Buffer`. */
export const byteLengthOf: typeof replaced.byteLengthOf = (text, encoding) =>
  own === undefined ? encoder.encode(text).byteLength : own.byteLength(text, encoding)

/** See `bytes.ts`. */
export const indexOfBytes: typeof replaced.indexOfBytes = (bytes, wanted, start) => {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first, start); at !== -1; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, n) => bytes[at + n] === byte)) return at
  return -1
}
