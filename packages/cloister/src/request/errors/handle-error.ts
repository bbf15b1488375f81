import { JSON_CONTENT } from '../../context/media-type.ts'
import { callValueHook } from '../../context/request-hook.ts'
import { createError, messageOf, wrapThrown } from '../../errors.ts'
import { isThenable } from '../../functions.ts'
import { logSafely } from '../../logging/request-log.ts'
import {
  kErrorDepth,
  kErrorSeen,
  kExchange,
  kInOnError,
  kPayload,
  kPhase,
  kPlan,
  kReplyHeaders,
  kTrace,
  kTurn,
} from '../../symbols.ts'
import { createErrorPayload, errorStatus } from './error-payload.ts'
import { discard } from '../payload-kind.ts'
import type { ReplyImpl } from '../reply.ts'
import { ANSWERED, ANSWERING, OPEN } from '../reply-phase.ts'
import { runStages } from '../run-stages.ts'
import { settleResult } from '../stages/call-handler.ts'
import { settleTraced } from '../stages/trace-handler.ts'

const CUT = 'the request failed after its answer had begun; the connection is cut'
const GONE = 'the request failed and its client has gone; nothing is answered'

/**
 * The error path. An error goes through the `onError` hooks once, then to the error handlers: the route's, then its
 * context's and so on to the root. What a handler throws or sends as an Error goes to the next one. After the last
 * the framework answers itself, and if even that fails it writes a plain answer without hooks.
 */
export function handleError(reply: ReplyImpl, thrown: unknown): void {
  try {
    takeError(reply, wrapThrown(thrown))
  } catch (failure) {
    answerBlindly(reply, failure)
  }
}

function takeError(reply: ReplyImpl, error: Error): void {
  const exchange = reply[kExchange]
  reply[kTurn]++
  discard(reply[kPayload])
  reply[kPayload] = undefined
  if (exchange.headersSent || exchange.ended) {
    reply[kPhase] = ANSWERED
    reply.log.warn({ err: error }, exchange.headersSent ? CUT : GONE)
    if (!exchange.ended) exchange.destroy()
    return
  }
  reply[kPhase] = OPEN
  const { onError } = reply[kPlan].hooks
  if (onError.length === 0 || reply[kErrorSeen]) callErrorHandler(reply, error)
  else runOnError(reply, error)
}

/** The `onError` hooks look on: they cannot answer, and what they throw is logged. */
function runOnError(reply: ReplyImpl, error: Error): void {
  reply[kErrorSeen] = true
  reply[kInOnError] = true
  const hooks = reply[kPlan].hooks.onError
  const proceed = (): void => {
    reply[kInOnError] = false
    callErrorHandler(reply, error)
  }
  const runFrom = (start: number): void => {
    for (let i = start; i < hooks.length; i++) {
      try {
        const hook = hooks[i]
        if (hook === undefined) break
        const pending = callValueHook(hook, reply.request, reply, error)
        if (isThenable(pending)) {
          pending.then(
            () => runFrom(i + 1),
            (failure: unknown) => {
              logHookFailure(reply, failure)
              runFrom(i + 1)
            },
          )
          return
        }
      } catch (failure) {
        logHookFailure(reply, failure)
      }
    }
    proceed()
  }
  runFrom(0)
}

function logHookFailure(reply: ReplyImpl, err: unknown): void {
  reply.log.error({ err }, 'onError hook failed')
}

function callErrorHandler(reply: ReplyImpl, error: Error): void {
  const { errorHandlers, fail } = reply[kPlan]
  const depth = reply[kErrorDepth]++
  const handler = errorHandlers[depth]
  const headers = reply[kReplyHeaders]
  // What the failed answer said about its content does not hold for the next one.
  delete headers['content-type']
  delete headers['content-length']
  if (handler === undefined) {
    if (depth === errorHandlers.length) answerByDefault(reply, error)
    else answerPlainly(reply, error)
    return
  }
  try {
    const result = handler(error, reply.request, reply)
    const trace = reply[kTrace]
    if (trace === null || !isThenable(result)) void settleResult(result, reply)
    else void settleTraced(trace, result, reply, settleResult)
  } catch (thrown) {
    fail(reply, thrown)
  }
}

/** The framework's own answer; it runs `onSend` like any other. */
function answerByDefault(reply: ReplyImpl, error: Error): void {
  const { app, readyStages } = reply[kPlan]
  reply.code(errorStatus(reply, error))
  if (app.logsRequests) app.logController.defaultErrorLog(error, reply.request, reply)
  try {
    reply[kPayload] = createErrorPayload(reply, error)
  } catch (failure) {
    const { statusCode } = reply
    reply.code(500)
    const broken = createError('FAILED_ERROR_SERIALIZATION', {
      reason: messageOf(failure),
      original: error.message,
    })
    logSafely(app, () => app.logController.serializerError(broken, reply.request, reply, { statusCode }))
    reply[kPayload] = createErrorPayload(reply, broken, false)
  }
  reply[kTurn]++
  reply[kPhase] = ANSWERING
  runStages(readyStages, reply)
}

/** An error that throws when it is looked at, or a log that throws: that something failed is answered, no more. */
function answerBlindly(reply: ReplyImpl, failure: unknown): void {
  try {
    const cause = Object.prototype.toString.call(failure)
    answerPlainly(reply, createError('NON_ERROR_THROWN', { what: `an error that cannot be read (${cause})` }))
  } catch {
    reply[kPhase] = ANSWERED
    reply[kExchange].destroy()
  }
}

/** The last resort: no hooks, no headers of the application, so that nothing is left that could fail. */
function answerPlainly(reply: ReplyImpl, error: Error): void {
  const exchange = reply[kExchange]
  const status = errorStatus(reply, error)
  reply.code(status)
  const { app } = reply[kPlan]
  logSafely(app, () => app.logController.writeHeadError(error, reply.request, reply))
  const payload = createErrorPayload(reply, error, false)
  reply[kPhase] = ANSWERED
  try {
    const headers = { 'content-type': JSON_CONTENT, 'content-length': String(Buffer.byteLength(payload)) }
    exchange.respond(status, headers, payload)
  } catch {
    exchange.destroy()
  }
}
