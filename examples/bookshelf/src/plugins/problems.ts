import { STATUS_CODES } from 'node:http'

import type { CaughtError, CloisterReply, CloisterRequest } from 'cloister'

/** The media type of problem details (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json'

/** Problem details; for a validation error they say which part of the request is wrong. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  in?: string | undefined
}

/** Turns an error into problem details. What went wrong inside is for the log, not for the client. */
export function toProblem(error: CaughtError, status: number): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: status >= 500 ? 'The server failed; its log says why.' : error.message,
    in: error.validationContext,
  }
}

/** An error handler that answers with problem details. */
export function answerProblem(error: CaughtError, request: CloisterRequest, reply: CloisterReply): void {
  const status = error.statusCode ?? 500
  if (status >= 500) request.log.error(error)
  void reply.code(status).type(PROBLEM_TYPE).send(toProblem(error, status))
}
