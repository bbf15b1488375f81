import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

import { toBytes } from '../../bytes.ts'
import { createError } from '../../errors.ts'
import type { ByteStream, WebStream } from '../../exchange/streams.ts'
import { hush, typeName, isFunction } from '../../guards.ts'
import { messageOf, wrapThrown } from '../../read-error.ts'

/** Returns a Node stream with the content of any stream: a Node stream, an object-mode stream, or a web stream. */
export function toContentStream(source: ByteStream | WebStream): Readable {
  if ('getReader' in source) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream of any implementation has the interface of the standard
    const standard = source as unknown as ReadableStream
    return refuseOthers(guardFailures(Readable.fromWeb(standard)))
  }
  if (source.readableObjectMode === true) return guardFailures(Readable.from(piecesOf(guardFailures(source))))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- libraries make streams that have `pipe` and events and are no instances of Node's classes
  return guardFailures(source as unknown as Readable)
}

/** A web stream may yield any value. Node puts an invalid value into an error message, which can throw. */
function refuseOthers(stream: Readable): Readable {
  const { push } = stream
  return Object.assign(stream, {
    push(this: Readable, chunk: unknown): boolean {
      let content: string | Uint8Array | null
      try {
        content = chunk === null ? null : contentOf(chunk)
      } catch (error) {
        this.destroy(wrapThrown(error))
        return false
      }
      return push.call(this, content)
    },
  })
}

/**
 * Converts a chunk of a stream to content that can be written.
 *
 * @throws `CLO_ERR_REP_INVALID_PAYLOAD_TYPE` for any other value; it ends the stream like the stream's own error
 */
export function contentOf(chunk: unknown): string | Uint8Array {
  try {
    const content = typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : toBytes(chunk)
    if (content !== null) return content
  } catch {
    // The value can't be inspected.
  }
  throw createError('REP_INVALID_PAYLOAD_TYPE', { type: typeName(hush(chunk)) })
}

async function* piecesOf(source: ByteStream): AsyncGenerator<string | Uint8Array, void> {
  for await (const chunk of source) yield contentOf(chunk)
}

/**
 * Lets a stream of the application fail with any value. Node reads the stack of the value passed to `destroy`. If that
 * throws (a revoked proxy, a getter), `destroy` throws and the stream never ends. Such a value is converted to an Error
 * first.
 */
export function guardFailures<Stream extends object>(stream: Stream): Stream {
  const { destroy, _destroy }: Partial<Pick<Readable, 'destroy' | '_destroy'>> = stream
  if (!isFunction(destroy) || !isFunction(_destroy)) return stream
  return Object.assign(stream, {
    destroy(this: Readable, error?: Error, ...rest: []) {
      return destroy.call(this, withStack(error), ...rest)
    },
    _destroy(this: Readable, error: Error | null, done: (error?: Error | null) => void) {
      _destroy.call(this, error, (failure?: Error | null) => done(withStack(failure)))
    },
  })
}

/** Returns a failure whose stack can be read. */
function withStack<Failure>(failure: Failure): Failure | Error {
  try {
    if (failure !== null && failure !== undefined) Reflect.get(Object(failure), 'stack')
    return failure
  } catch {
    return createError('NON_ERROR_THROWN', { what: messageOf(failure) }, { cause: failure })
  }
}
