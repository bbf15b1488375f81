import { JSON_CONTENT } from '../../body/media-type.ts'
import { CloisterError } from '../../errors.ts'
import { isRecord } from '../../functions.ts'
import type { ResponseHeaders } from '../../exchange/exchange.ts'
import { STATUS_TEXT } from '../../exchange/status-text.ts'
import { kPlan, kReplyHeaders } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { createProblem, PROBLEM_CONTENT, varyBy, wantsProblem } from './problem.ts'
import { languageOf } from '../stages/translate-issues.ts'
import { findSchemaSerializer } from '../stages/serialize-payload.ts'

/** An Error as applications throw it. */
interface ThrownError extends Error {
  readonly code?: unknown
}

const isFailure = (status: unknown): status is number =>
  Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599

/**
 * Returns the status of an error response: the error's own, else that of the reply, else 500. Sets the headers of the
 * error on the reply.
 */
export function errorStatus(reply: ReplyState, error: unknown): number {
  if (isRecord(error) && isRecord(error['headers'])) reply.headers(headersOf(error['headers']))
  return ownStatus(error) ?? (isFailure(reply.statusCode) ? reply.statusCode : 500)
}

/** Returns the status of a thrown value; none when it cannot be read. */
export function ownStatus(thrown: unknown): number | undefined {
  try {
    const own: unknown = Reflect.get(Object(thrown), 'statusCode')
    if (isFailure(own)) return own
    const status: unknown = Reflect.get(Object(thrown), 'status')
    return isFailure(status) ? status : undefined
  } catch {
    return undefined
  }
}

function headersOf(given: Readonly<Record<string, unknown>>): ResponseHeaders {
  const headers: ResponseHeaders = {}
  for (const [name, value] of Object.entries(given)) {
    headers[name] = Array.isArray(value) ? value.map(String) : String(value)
  }
  return headers
}

/**
 * Serializes the payload of an error response: `{ statusCode, code, error, message }` or problem details, by the route's
 * schema for that status when there is one; it then chooses among the members of both. With `exposeErrors: false` the message of an unexpected error stays in the log.
 */
export function createErrorPayload(reply: ReplyState, error: ThrownError, bySchema = true): string {
  const plan = reply[kPlan]
  const { statusCode } = reply
  const reason = STATUS_TEXT[statusCode] ?? 'Unknown'
  const hidden = statusCode >= 500 && !plan.app.options.exposeErrors && isUnexpected(error)
  const code = codeOf(error)
  const facts = {
    statusCode,
    ...(code !== undefined && (!hidden || error instanceof CloisterError) ? { code } : {}),
    error: reason,
    message: hidden ? reason : error.message,
  }
  const headers = reply[kReplyHeaders]
  const problem = wantsProblem(reply)
    ? createProblem(
        reply,
        { status: statusCode, title: reason, detail: hidden ? undefined : error.message, code: facts.code },
        hidden ? {} : error,
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
  const numeric = !hidden && typeof error.code === 'number' ? { code: error.code } : null
  return serialize(Object.assign({}, hidden ? {} : error, facts, problem, numeric))
}

/** Databases and systems give their errors numbers; they are sent as text. */
function codeOf({ code }: ThrownError): string | undefined {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}

/**
 * All but the framework's words about a server that is busy or closing (503). Its other errors of this kind quote what
 * the application has thrown or sent.
 */
function isUnexpected(error: Error): boolean {
  return !(error instanceof CloisterError && error.statusCode === 503)
}
