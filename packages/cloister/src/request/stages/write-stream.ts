import { createError } from '../../errors.ts'
import type { ByteStream, WebStream } from '../../exchange/byte-stream.ts'
import { logSafely } from '../../logging/request-log.ts'
import { kExchange, kPhase, kPlan, kReplyHeaders, kTrailers } from '../../symbols.ts'
import { isWebStream } from '../payload-kind.ts'
import type { ReplyState } from '../state.ts'
import { SENT } from '../reply-phase.ts'
import { writeWarning } from '../write-line.ts'
import { announceTrailers, trailersOf } from './write-trailers.ts'

/**
 * Streams a payload to the client. An error before the first byte goes to the error handlers; later the transport
 * cuts the connection.
 */
export function writeStream(reply: ReplyState, source: ByteStream | WebStream): void {
  const exchange = reply[kExchange]
  if (isWebStream(source) && source.locked) throw createError('REP_READABLE_STREAM_LOCKED', {})
  if (exchange.headersSent) {
    writeWarning(reply, 'response will send, but the headers were sent already through the raw response')
  }
  const trailers = reply[kTrailers]
  if (trailers !== null) announceTrailers(reply, trailers)
  const trailerSource = trailers === null ? null : trailersOf(reply, trailers)
  exchange.sendStream(reply.statusCode, reply[kReplyHeaders], source, trailerSource, {
    failed(error, hadBegun) {
      if (hadBegun) logStreamError(reply, error)
      else reply[kPlan].fail(reply, error)
    },
  })
  reply[kPhase] = SENT
}

function logStreamError(reply: ReplyState, error: Error): void {
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.streamError(error, reply.request, reply))
}
