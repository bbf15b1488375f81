import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { createError } from '../../errors.ts'
import type { ByteStream, WebStream } from '../../exchange/byte-stream.ts'
import { typeName } from '../../functions.ts'

/** Returns a stream of Node that yields the content of any stream: of Node's, of objects, or of the web. */
export function toContentStream(source: ByteStream | WebStream): Readable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream of any implementation has the interface of the standard
  if ('getReader' in source) return Readable.fromWeb(source as unknown as ReadableStream)
  if (source.readableObjectMode === true) return Readable.from(onlyContent(source))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- libraries make streams that have `pipe` and events and are no instances of Node's classes
  return source as unknown as Readable
}

/** A stream of objects may yield what no response can write: that ends it like an error of its own. */
async function* onlyContent(source: ByteStream): AsyncGenerator<string | Uint8Array, void> {
  for await (const chunk of source) {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(chunk) })
    }
    yield chunk
  }
}
