import { byteLengthOf } from '../../bytes.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import type { ByteStream } from '../../exchange/byte-stream.ts'
import { kExchange, kPhase, kPlan } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { OPEN } from '../reply-phase.ts'

/**
 * Holds a body that its parser reads itself to a limit, counted over the bytes that arrive. Readers of the stream
 * and of the raw request are counted alike, because the count sits where the bytes come in.
 *
 * Above the limit the request is refused with 413, and a reader of the body gets the same error: never an end,
 * which would make a part look like the whole.
 */
export function countBody(reply: ReplyState, stream: ByteStream, limit: number): void {
  // A stream of a `preParsing` hook need not be one of Node's; the request's own is.
  if (typeof stream.push !== 'function') return
  const push = stream.push.bind(stream)
  let received = stream.readableLength ?? 0
  let refused = received > limit
  if (refused) refuse(reply, stream)
  stream.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (refused) return true
    received += sizeOf(chunk, encoding)
    if (received <= limit) return push(chunk, encoding)
    refused = true
    refuse(reply, stream)
    return true
  }
}

function sizeOf(chunk: unknown, encoding?: BufferEncoding): number {
  if (typeof chunk === 'string') return byteLengthOf(chunk, encoding)
  return chunk instanceof Uint8Array ? chunk.byteLength : 0
}

function refuse(reply: ReplyState, stream: ByteStream): void {
  const error = createError('CTP_BODY_TOO_LARGE', {})
  // A reader of the stream gets the error too, past the way of errors.
  prefixCode(error, reply[kPlan].app.options.errorCodePrefix)
  if (reply[kPhase] === OPEN) {
    reply[kPlan].fail(reply, closing(reply, error))
  }
  if (stream.listenerCount('error') > 0) stream.emit('error', error)
}

/** What is left of a refused body must never be read as the next request: the connection ends with the response. */
export function closing(reply: ReplyState, error: unknown): unknown {
  reply[kExchange].endConnection()
  return error
}
