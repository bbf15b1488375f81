import type { ByteStream, WebStream } from '../exchange/byte-stream.ts'
import { release } from '../exchange/release.ts'

/** Whether a payload is a Node.js stream. */
export function isNodeStream(payload: unknown): payload is ByteStream {
  return (
    typeof payload === 'object' && payload !== null && 'pipe' in payload && typeof payload.pipe === 'function'
  )
}

/** Whether a payload is a web stream. */
export function isWebStream(payload: unknown): payload is WebStream {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    'getReader' in payload &&
    typeof payload.getReader === 'function'
  )
}

/** Whether a payload is a web `Response`, also of another implementation. */
export function isResponse(payload: unknown): payload is Response {
  return Object.prototype.toString.call(payload) === '[object Response]'
}

/** Whether a payload is a web `Blob`, a `File` included, also of another implementation. */
export function isBlob(payload: unknown): payload is Blob {
  const tag = Object.prototype.toString.call(payload)
  return tag === '[object Blob]' || tag === '[object File]'
}

/** Whether a payload is `URLSearchParams`, also of another implementation. */
export function isSearchParams(payload: unknown): payload is URLSearchParams {
  return Object.prototype.toString.call(payload) === '[object URLSearchParams]'
}

/** A payload that will not be sent must not stay open. */
export function discard(payload: unknown): void {
  if (isNodeStream(payload)) {
    payload.on('error', () => {})
    release(payload)
  } else if (isWebStream(payload)) release(payload)
}
