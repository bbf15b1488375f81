import { createError } from '../../errors.ts'
import type { ByteStream, WebStream, PumpFailure } from '../../exchange/streams.ts'
import type { Content, ContentWriter } from '../../exchange/exchange.ts'
import { chunkBytes, toBytes } from '../../bytes.ts'
import { logSafely } from '../../logging/request-log.ts'
import { kExchange, kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import { wrapThrown } from '../../read-error.ts'
import { isEventStream, pumpEvents } from '../event-streams.ts'
import { isWebStream } from '../payload-kind.ts'
import { SENT, type ReplyState } from '../state.ts'
import { writeWarning, reportContradiction } from '../write-line.ts'
import { announceTrailers, trailersOf, type TrailerSource } from '../members/fields.ts'

/**
 * Streams a payload to the client. An error before the first byte goes to the error handlers; a later one closes the
 * connection, so that the client does not mistake a part for the whole. The source is released if the client
 * disconnects, or another response replaces this one.
 */
export function writeStream(reply: ReplyState, source: ByteStream | WebStream): void {
  const exchange = reply[kExchange]
  if (isWebStream(source) && source.locked) throw createError('REP_READABLE_STREAM_LOCKED', {})
  if (exchange.headersSent) {
    writeWarning(reply, 'response will send, but the headers were sent already through the raw response')
  }
  const { writer, trailers } = openContent(reply)
  let isOpen = true
  const settle = (failure: PumpFailure | null): void => {
    if (!isOpen) return
    isOpen = false
    if (failure === null) endContent(reply, writer, trailers)
    else failContent(reply, writer, failure.thrown)
  }
  reply[kState].phase = SENT
  const stop = isEventStream(reply[kReplyHeaders])
    ? pumpEvents(reply, source, writer, settle)
    : reply[kPlan].app.pump(source, writer, settle)
  exchange.onFinished((outcome) => {
    if (!isOpen) return
    isOpen = false
    stop(outcome)
    if (outcome !== null) logStreamError(reply, outcome)
  })
}

/** Writes complete content, followed by trailers. */
export function writeWithTrailers(reply: ReplyState, content: Content | null): void {
  const { writer, trailers } = openContent(reply)
  if (content !== null)
    writer.write(typeof content === 'string' ? chunkBytes(content) : (toBytes(content) ?? content))
  reply[kState].phase = SENT
  endContent(reply, writer, trailers)
}

function openContent(reply: ReplyState): {
  readonly writer: ContentWriter
  readonly trailers: TrailerSource | null
} {
  const { [kState]: state, [kReplyHeaders]: headers } = reply
  const functions = state.trailers
  if (functions !== null) announceTrailers(reply, functions)
  const writer = reply[kExchange].open(reply.statusCode, headers, functions !== null)
  if (writer.contradiction !== null) reportContradiction(reply, writer.contradiction)
  return { writer, trailers: functions === null ? null : trailersOf(reply, functions) }
}

/** Closes the connection if the content is shorter than its declared length. */
function endContent(reply: ReplyState, writer: ContentWriter, trailers: TrailerSource | null): void {
  const end = (fields: Readonly<Record<string, string>> | null): void => {
    try {
      writer.end(fields)
    } catch (thrown) {
      failContent(reply, writer, thrown)
    }
  }
  if (trailers === null) end(null)
  // If one trailer is invalid, none is sent.
  else trailers().then(end, () => end(null))
}

function failContent(reply: ReplyState, writer: ContentWriter, thrown: unknown): void {
  const exchange = reply[kExchange]
  // A stream may fail with any value; in any case the content is incomplete.
  const error = wrapThrown(thrown)
  if (exchange.headersSent || exchange.ended) {
    writer.cut()
    logStreamError(reply, error)
  } else reply[kPlan].fail(reply, error)
}

function logStreamError(reply: ReplyState, error: Error): void {
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.streamError(error, reply.request, reply))
}
