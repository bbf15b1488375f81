import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { toBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import type { ByteStream, WebStream } from '../../exchange/byte-stream.ts'
import { hush, typeName } from '../../functions.ts'
import { guardFailures } from './guard-failures.ts'

/** Returns a stream of Node that yields the content of any stream: of Node's, of objects, or of the web. */
export function toContentStream(source: ByteStream | WebStream): Readable {
  if ('getReader' in source) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream of any implementation has the interface of the standard
    const standard = source as unknown as ReadableStream
    return refuseOthers(guardFailures(Readable.fromWeb(standard)))
  }
  if (source.readableObjectMode === true)
    return guardFailures(Readable.from(onlyContent(guardFailures(source))))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- libraries make streams that have `pipe` and events and are no instances of Node's classes
  return guardFailures(source as unknown as Readable)
}

/** A web stream may yield anything, and Node writes what it cannot take into a message, which can throw. */
function refuseOthers(stream: Readable): Readable {
  const { push } = stream
  return Object.assign(stream, {
    push(this: Readable, chunk: unknown): boolean {
      const content = chunk === null ? null : contentOf(chunk)
      if (content !== undefined) return push.call(this, content)
      this.destroy(unfit(chunk))
      return false
    },
  })
}

/** A piece as what can be written; `undefined` where it is nothing of the kind. */
function contentOf(chunk: unknown): string | Uint8Array | undefined {
  try {
    return typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : (toBytes(chunk) ?? undefined)
  } catch {
    return undefined
  }
}

const unfit = (chunk: unknown): Error =>
  createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(hush(chunk)) })

/** A stream of objects may yield what no response can write: that ends it like an error of its own. */
async function* onlyContent(source: ByteStream): AsyncGenerator<string | Uint8Array, void> {
  for await (const chunk of source) {
    const content = contentOf(chunk)
    if (content === undefined) throw unfit(chunk)
    yield content
  }
}
