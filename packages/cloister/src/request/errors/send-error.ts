import { JSON_CONTENT } from '../../body/media-type.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError, isError, messageOf, wrapThrown } from '../../errors.ts'
import { logSafely } from '../../logging/request-log.ts'
import { kExchange, kPayload, kPhase, kPlan, kReplyHeaders, kEpoch } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { SENT, SENDING } from '../reply-phase.ts'
import { runStages } from '../run-stages.ts'
import { createErrorPayload, errorStatus } from './error-payload.ts'

/**
 * Sends the framework's error response, which runs `onSend` like any other. A thrown value that is not an Error is
 * itself the payload, unless it must be hidden.
 */
export function replyByDefault(reply: ReplyState, thrown: unknown): void {
  const { app, readyStages, reply: send } = reply[kPlan]
  reply.code(errorStatus(reply, thrown))
  const error = wrapThrown(thrown)
  if (app.logsRequests) logSafely(app, () => app.logController.defaultErrorLog(error, reply.request, reply))
  if (!isError(thrown) && (reply.statusCode < 500 || app.options.exposeErrors)) {
    send(reply, thrown)
    return
  }
  try {
    reply[kPayload] = createErrorPayload(reply, error)
  } catch (failure) {
    const { statusCode } = reply
    reply.code(500)
    const details = { reason: messageOf(failure), original: messageOf(error) }
    const broken = createError('FAILED_ERROR_SERIALIZATION', details, { cause: failure })
    prefixCode(broken, app.options.errorCodePrefix)
    logSafely(app, () => app.logController.serializerError(broken, reply.request, reply, { statusCode }))
    reply[kPayload] = createErrorPayload(reply, broken, false)
  }
  reply[kEpoch]++
  reply[kPhase] = SENDING
  runStages(readyStages, reply)
}

/** Sends a fixed response, after an error that throws when it is read, or a logger that throws. */
export function sendFixedError(reply: ReplyState, failure: unknown): void {
  try {
    const cause = Object.prototype.toString.call(failure)
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
  const status = errorStatus(reply, thrown)
  reply.code(status)
  const { app } = reply[kPlan]
  const error = wrapThrown(thrown)
  prefixCode(error, app.options.errorCodePrefix)
  logSafely(app, () => app.logController.writeHeadError(error, reply.request, reply))
  delete reply[kReplyHeaders]['content-type']
  const payload = createErrorPayload(reply, error, false)
  reply[kPhase] = SENT
  const contentType = reply[kReplyHeaders]['content-type'] ?? JSON_CONTENT
  try {
    exchange.send(status, { 'content-type': contentType }, payload)
  } catch {
    exchange.abort()
  }
}
