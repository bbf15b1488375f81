import { JSON_CONTENT } from '../../body/media-type.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import { logSafely } from '../../logging/request-log.ts'
import { messageOf, readError, wrapThrown, type ReadError } from '../../read-error.ts'
import { kExchange, kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import { markSent, SENDING, type ReplyState } from '../state.ts'
import { runStages } from '../run-stages.ts'
import { STATUS_TEXT } from '../../exchange/status-text.generated.ts'
import type { ResponseHeaders } from '../../exchange/exchange.ts'
import { membersOf } from '../../foreign.ts'
import { dropContentFields } from './content-fields.ts'
import { createProblem } from './create-problem.ts'
import { PROBLEM_CONTENT, varyBy, wantsProblem } from './problem.ts'
import { languageOf } from '../stages/validation-error.ts'
import { findSchemaSerializer } from '../stages/serialize-payload.ts'
import { ReplyImpl } from '../reply.ts'
import { writeLine } from '../write-line.ts'

const GONE = 'the request failed after its client had gone; the response is discarded'

/** Logs an error of a request whose client has gone. */
export function logAsGone(reply: ReplyState, error: unknown): void {
  writeLine(reply, 'error', error, GONE)
}

/** Logs an error that goes to the client, or is discarded, unless that was done when it was thrown. */
function logError(reply: ReplyState, error: Error): void {
  const { app } = reply[kPlan]
  if (reply[kState].isLogged) return
  if (reply[kExchange].turn.isGone) logAsGone(reply, error)
  else if (app.logsErrors)
    logSafely(app, () => app.logController.defaultErrorLog(error, reply.request, reply))
}

/**
 * Sends the framework's error response; the `onSend` hooks run. A thrown value that is not an Error is itself the
 * payload, unless it must be hidden.
 */
export function replyByDefault(reply: ReplyState, thrown: unknown): void {
  const state = reply[kState]
  const { app, readyStages, reply: send } = reply[kPlan]
  const read = readError(thrown)
  applyError(reply, read)
  const error = wrapThrown(thrown)
  logError(reply, error)
  if (!read.isError && (reply.statusCode < 500 || app.options.exposeErrors)) {
    send(reply, thrown)
    return
  }
  try {
    state.payload = createErrorPayload(reply, read.isError ? read : readError(error), error)
  } catch (failure) {
    const { statusCode } = reply
    reply.code(500)
    const details = { reason: messageOf(failure), original: read.message }
    const broken = createError('FAILED_ERROR_SERIALIZATION', details, { cause: failure })
    prefixCode(broken, app.options)
    logSafely(app, () => app.logController.serializerError(broken, reply.request, reply, { statusCode }))
    state.payload = createErrorPayload(reply, readError(broken), broken, false)
  }
  state.epoch++
  state.phase = SENDING
  runStages(readyStages, reply)
}

/** Sends a fixed response, if reading the error throws, or the logger. */
export function sendFixedError(reply: ReplyState, failure: unknown): void {
  try {
    const cause = messageOf(failure)
    reply[kState].isLogged = false
    sendPlainError(
      reply,
      createError('NON_ERROR_THROWN', { what: `an error that cannot be read (${cause})` }),
    )
  } catch {
    markSent(reply)
    reply[kExchange].abort()
  }
}

/**
 * Sends the response of last resort: without hooks, which could fail again. If the headers of the reply can't be
 * written, it is sent without them.
 */
export function sendPlainError(reply: ReplyState, thrown: unknown): void {
  const exchange = reply[kExchange]
  const { app } = reply[kPlan]
  const error = wrapThrown(thrown)
  prefixCode(error, app.options)
  const read = readError(thrown)
  applyError(reply, read)
  if (!reply[kState].isLogged)
    logSafely(app, () => app.logController.writeHeadError(error, reply.request, reply))
  dropContentFields(reply)
  const payload = createErrorPayload(reply, read.isError ? read : readError(error), error, false)
  markSent(reply)
  const headers = reply[kReplyHeaders]
  const contentType = headers['content-type'] ?? JSON_CONTENT
  const attempts = [headers, { 'content-type': contentType }, { 'content-type': contentType }]
  if (!attempts.some((fields) => canSend(reply, fields, payload))) exchange.abort()
}

/** A transport removes what it refuses from the raw response (a reason phrase, a header), so a second try may succeed. */
function canSend(reply: ReplyState, headers: ResponseHeaders, payload: string): boolean {
  try {
    reply[kState].presets?.fill(headers)
    reply[kExchange].send(reply.statusCode, headers, payload)
    return true
  } catch {
    return false
  }
}

const isFailure = (status: number): boolean => status >= 400 && status <= 599

/**
 * Sets status and headers of the reply to those of an error. An error without a status gets that of the reply, or 500.
 */
export function applyError(reply: ReplyState, { statusCode, headers }: ReadError): void {
  if (headers !== null) reply.headers(headers)
  reply.code(statusCode ?? (isFailure(reply.statusCode) ? reply.statusCode : 500))
}

/**
 * Serializes the payload of an error response: `{ statusCode, code, error, message }` or problem details. If the route
 * has a schema for that status, it selects from the members of both, and from those of the error that it declares. With
 * `exposeErrors: false` the message of an unexpected error is only logged.
 */
export function createErrorPayload(
  reply: ReplyState,
  read: ReadError,
  error: object,
  bySchema: boolean = true,
): string {
  const plan = reply[kPlan]
  const { statusCode } = reply
  const reason = STATUS_TEXT[statusCode] ?? 'Unknown'
  // The framework's words about a server that is busy or closing (503) are no secret. Its other errors of this kind
  // quote what the application has thrown or sent.
  const isBusy = read.isOwn && read.statusCode === 503
  const hidden = statusCode >= 500 && !plan.app.options.exposeErrors && !isBusy
  // Errors of databases and systems have numeric codes, which are sent as text.
  const code = read.code === undefined ? undefined : String(read.code)
  const facts = {
    statusCode,
    ...(code !== undefined && (!hidden || read.isOwn) ? { code } : {}),
    error: reason,
    message: hidden ? reason : read.message,
  }
  const headers = reply[kReplyHeaders]
  const shown = hidden ? {} : error
  const problem = wantsProblem(reply)
    ? createProblem(
        reply,
        { status: statusCode, title: reason, detail: hidden ? undefined : read.message, code: facts.code },
        shown,
      )
    : null
  const language = languageOf(error)
  if (language !== null) {
    varyBy(reply, 'Accept-Language')
    headers['content-language'] ??= language === '' ? 'en' : language
  }
  headers['content-type'] ??= problem === null ? JSON_CONTENT : PROBLEM_CONTENT
  const { serializers } = plan
  const serialize =
    bySchema && serializers !== null
      ? findSchemaSerializer(serializers, statusCode, headers['content-type'])
      : null
  if (serialize === null) return JSON.stringify(problem ?? facts)
  // A schema may declare a number.
  const numeric = !hidden && typeof read.code === 'number' ? { code: read.code } : null
  // A schema writes members of the error that it declares, but none because it is open: drivers and clients of other
  // services add queries, headers and circular references to their errors.
  const payload = { ...facts, ...problem, ...numeric }
  for (const [name, value] of Object.entries(membersOf(shown)))
    if (!Object.hasOwn(payload, name)) Object.defineProperty(payload, name, { value })
  return serialize(payload)
}

/**
 * The value of `app.errorHandler` if the application has set none: sends the framework's error response, without
 * calling any other handler.
 */
export function defaultErrorHandler(error: unknown, _request: unknown, reply: unknown): void {
  if (!(reply instanceof ReplyImpl)) return
  const { [kPlan]: plan, [kState]: state } = reply
  state.errorDepth = (state.errorHandlers ?? plan.errorHandlers).length
  plan.fail(reply, error)
}
