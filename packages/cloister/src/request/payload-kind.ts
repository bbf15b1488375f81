import type { ByteStream, WebStream } from '../exchange/streams.ts'
import { attempt, look } from '../foreign.ts'
import { hush, isFunction } from '../guards.ts'

/** Whether a payload is a Node.js stream. */
export function isNodeStream(payload: unknown): payload is ByteStream {
  return typeof payload === 'object' && isFunction(look(payload, 'pipe'))
}

/** Whether a payload is a web stream. */
export function isWebStream(payload: unknown): payload is WebStream {
  return typeof payload === 'object' && isFunction(look(payload, 'getReader'))
}

/** The class that a value says it has, such as `[object Response]`; its implementation may be another one. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/** Whether a payload is a web `Response`. */
export const isResponse = (payload: unknown): payload is Response => tagOf(payload) === '[object Response]'

/** Whether a payload is a web `Blob`, a `File` included. */
export const isBlob = (payload: unknown): payload is Blob =>
  ['[object Blob]', '[object File]'].includes(tagOf(payload))

/** Whether a payload is `URLSearchParams`. */
export const isSearchParams = (payload: unknown): payload is URLSearchParams =>
  tagOf(payload) === '[object URLSearchParams]'

/**
 * Listens to a Node stream before its reader does: if it fails while a hook waits, or is never read, its error would end
 * the process. The reader notices the failure when it begins.
 */
export function watchSource(value: unknown): void {
  if (isNodeStream(value)) attempt(() => void value.on('error', hush), undefined)
}

/** Whether a payload is what an `async function*` returns. */
export const isGenerator = (payload: unknown): payload is AsyncGenerator<unknown> =>
  tagOf(payload) === '[object AsyncGenerator]'
