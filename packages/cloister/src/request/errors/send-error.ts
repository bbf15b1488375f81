import { JSON_CONTENT } from '../../body/media-type.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import { logSafely } from '../../logging/request-log.ts'
import { messageOf, readError, wrapThrown } from '../../read-error.ts'
import { kExchange, kPayload, kPhase, kPlan, kReplyHeaders, kEpoch } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { SENT, SENDING } from '../reply-phase.ts'
import { runStages } from '../run-stages.ts'
import { applyError, createErrorPayload } from './error-payload.ts'

/**
 * Sends the framework's error response, which runs `onSend` like any other. A thrown value that is not an Error is
 * itself the payload, unless it must be hidden.
 */
export function replyByDefault(reply: ReplyState, thrown: unknown): void {
  const { app, readyStages, reply: send } = reply[kPlan]
  const read = readError(thrown)
  applyError(reply, read)
  const error = wrapThrown(thrown)
  if (app.logsRequests) logSafely(app, () => app.logController.defaultErrorLog(error, reply.request, reply))
  if (!read.isError && (reply.statusCode < 500 || app.options.exposeErrors)) {
    send(reply, thrown)
    return
  }
  try {
    reply[kPayload] = createErrorPayload(reply, read.isError ? read : readError(error), error)
  } catch (failure) {
    const { statusCode } = reply
    reply.code(500)
    const details = { reason: messageOf(failure), original: read.message }
    const broken = createError('FAILED_ERROR_SERIALIZATION', details, { cause: failure })
    prefixCode(broken, app.options.errorCodePrefix)
    logSafely(app, () => app.logController.serializerError(broken, reply.request, reply, { statusCode }))
    reply[kPayload] = createErrorPayload(reply, readError(broken), broken, false)
  }
  reply[kEpoch]++
  reply[kPhase] = SENDING
  runStages(readyStages, reply)
}

/** Sends a fixed response, after an error that throws when it is read, or a logger that throws. */
export function sendFixedError(reply: ReplyState, failure: unknown): void {
  try {
    const cause = messageOf(failure)
    sendPlainError(
      reply,
      createError('NON_ERROR_THROWN', { what: `an error that cannot be read (${cause})` }),
    )
  } catch {
    reply[kPhase] = SENT
    reply[kExchange].abort()
  }
}

/**
 * Sends the response of last resort: without hooks and headers of the application, which could fail again.
 */
export function sendPlainError(reply: ReplyState, thrown: unknown): void {
  const exchange = reply[kExchange]
  const { app } = reply[kPlan]
  const error = wrapThrown(thrown)
  prefixCode(error, app.options.errorCodePrefix)
  const read = readError(thrown)
  applyError(reply, read)
  logSafely(app, () => app.logController.writeHeadError(error, reply.request, reply))
  delete reply[kReplyHeaders]['content-type']
  const payload = createErrorPayload(reply, read.isError ? read : readError(error), error, false)
  reply[kPhase] = SENT
  const contentType = reply[kReplyHeaders]['content-type'] ?? JSON_CONTENT
  try {
    exchange.send(reply.statusCode, { 'content-type': contentType }, payload)
  } catch {
    exchange.abort()
  }
}
