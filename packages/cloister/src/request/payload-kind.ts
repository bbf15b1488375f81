import type { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** Tells a Node.js stream. */
export function isNodeStream(payload: unknown): payload is Readable {
  return (
    typeof payload === 'object' && payload !== null && 'pipe' in payload && typeof payload.pipe === 'function'
  )
}

/** Tells a web stream. */
export function isWebStream(payload: unknown): payload is ReadableStream {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'getReader' in payload &&
    typeof payload.getReader === 'function'
  )
}

/** Tells a web `Response`, also of another implementation. */
export function isResponse(payload: unknown): payload is Response {
  return Object.prototype.toString.call(payload) === '[object Response]'
}

/** The bytes of a buffer or typed array, without a copy; `null` for everything else. */
export function asBytes(payload: unknown): Buffer | null {
  if (Buffer.isBuffer(payload)) return payload
  if (ArrayBuffer.isView(payload)) return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  return payload instanceof ArrayBuffer ? Buffer.from(payload) : null
}

/** A payload that will not be sent must not stay open. */
export function discard(payload: unknown): void {
  if (isNodeStream(payload)) {
    payload.on('error', () => {})
    payload.destroy?.()
  } else if (isWebStream(payload)) {
    payload.cancel().catch(() => {})
  }
}
