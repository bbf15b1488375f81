import { release, type ByteStream, type WebStream } from '../exchange/streams.ts'
import { look } from '../foreign.ts'
import { hush, isFunction } from '../guards.ts'

/** Whether a payload is a Node.js stream. */
export function isNodeStream(payload: unknown): payload is ByteStream {
  return typeof payload === 'object' && isFunction(look(payload, 'pipe'))
}

/** Whether a payload is a web stream. */
export function isWebStream(payload: unknown): payload is WebStream {
  return typeof payload === 'object' && isFunction(look(payload, 'getReader'))
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

/** Closes a payload that will not be sent. */
export function discard(payload: unknown): void {
  try {
    if (isNodeStream(payload)) payload.on('error', () => {})
    if (isNodeStream(payload) || isWebStream(payload)) release(payload)
  } catch (error) {
    // It cannot be closed.
    hush(error)
  }
}

/** Whether a payload is what an `async function*` returns. */
export function isGenerator(payload: unknown): payload is AsyncGenerator<unknown> {
  return Object.prototype.toString.call(payload) === '[object AsyncGenerator]'
}
