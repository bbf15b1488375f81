import { JSON_CONTENT } from '../../body/media-type.ts'
import { STATUS_TEXT } from '../../exchange/status-text.ts'
import { membersOf } from '../../foreign.ts'
import type { ReadError } from '../../read-error.ts'
import { kPlan, kReplyHeaders } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { createProblem, PROBLEM_CONTENT, varyBy, wantsProblem } from './problem.ts'
import { languageOf } from '../stages/translate-issues.ts'
import { findSchemaSerializer } from '../stages/serialize-payload.ts'

const isFailure = (status: number): boolean => status >= 400 && status <= 599

/** Sets status and headers of the reply to those of an error: a status that it has, else that of the reply, else 500. */
export function applyError(reply: ReplyState, { statusCode, headers }: ReadError): void {
  if (headers !== null) reply.headers(headers)
  reply.code(statusCode ?? (isFailure(reply.statusCode) ? reply.statusCode : 500))
}

/**
 * Serializes the payload of an error response: `{ statusCode, code, error, message }` or problem details, by the route's
 * schema for that status when there is one; it then chooses among the members of both. With `exposeErrors: false` the message of an unexpected error stays in the log.
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
  const hidden = statusCode >= 500 && !plan.app.options.exposeErrors && isUnexpected(read)
  // Databases and systems give their errors numbers; they are sent as text.
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
  return serialize(Object.assign(membersOf(shown), facts, problem, numeric))
}

/**
 * All but the framework's words about a server that is busy or closing (503). Its other errors of this kind quote what
 * the application has thrown or sent.
 */
function isUnexpected({ isOwn, statusCode }: ReadError): boolean {
  return !(isOwn && statusCode === 503)
}
