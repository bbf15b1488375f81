import type { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { isFunction } from '../functions.ts'

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

/** Tells a web `Blob`, a `File` included, also of another implementation. */
export function isBlob(payload: unknown): payload is Blob {
  const tag = Object.prototype.toString.call(payload)
  return tag === '[object Blob]' || tag === '[object File]'
}

/** Tells `URLSearchParams`, also of another implementation. */
export function isSearchParams(payload: unknown): payload is URLSearchParams {
  return Object.prototype.toString.call(payload) === '[object URLSearchParams]'
}

/** The bytes of a buffer or typed array, without a copy; `null` for everything else. */
export function asBytes(payload: unknown): Buffer | null {
  if (Buffer.isBuffer(payload)) return payload
  if (ArrayBuffer.isView(payload)) return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
  return payload instanceof ArrayBuffer ? Buffer.from(payload) : null
}

/** Ends a stream that nobody will read any more, in the way that it knows: not every one has `destroy`. */
export function release(source: Readable): void {
  for (const name of ['destroy', 'close', 'abort']) {
    const end: unknown = Reflect.get(source, name)
    if (isFunction(end)) {
      end.call(source)
      return
    }
  }
}

/** A payload that will not be sent must not stay open. */
export function discard(payload: unknown): void {
  if (isNodeStream(payload)) {
    payload.on('error', () => {})
    release(payload)
  } else if (isWebStream(payload)) {
    payload.cancel().catch(() => {})
  }
}
