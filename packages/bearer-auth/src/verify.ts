import { formatChallenge, formatRefusal, readToken } from './challenge.ts'
import { dropRejection, toError, UnauthorizedError } from './errors.ts'
import { createKeyMatcher } from './key-matcher.ts'
import type { Settings } from './options.ts'
import { logFailure, logRefusal } from './refusal-log.ts'
import { declareScheme } from './security-scheme.ts'
import type { BearerReply, BearerRequest, Done, VerifyBearerAuth } from './types.ts'

/** Creates the check of requests from checked options. */
export function createVerifier(settings: Settings): VerifyBearerAuth {
  const challenge = formatChallenge(settings.bearerType, settings.realm)
  const isKey = createKeyMatcher(settings.keys)

  const verifyBearerAuth: VerifyBearerAuth = (request, reply, done) => {
    const attempt: Attempt = { request, reply, done, settings }
    const token = tokenOf(request, settings)
    if (token instanceof UnauthorizedError) return refuse(attempt, token, challenge)

    const settle = (result: unknown): void => {
      if (result === true) done()
      else if (result === false) refuse(attempt, invalidHeader(), formatRefusal(challenge))
      else {
        dropRejection(result)
        const mistake = noDecision(result)
        fail(attempt, mistake, mistake)
      }
    }
    if (settings.auth === null) return settle(isKey(token))
    callAuth(settings.auth, token, request).then(settle, (reason: unknown) =>
      fail(attempt, reason, toError(reason)),
    )
  }
  return declareScheme(verifyBearerAuth, settings)
}

interface Attempt {
  readonly request: BearerRequest
  readonly reply: BearerReply
  readonly done: Done
  readonly settings: Settings
}

// Async, to handle functions that throw like those that reject.
async function callAuth(
  auth: NonNullable<Settings['auth']>,
  token: string,
  request: BearerRequest,
): Promise<unknown> {
  return auth(token, request)
}

function refuse(attempt: Attempt, error: UnauthorizedError, challenge: string): void {
  logRefusal(attempt.request.log, attempt.settings.logLevel, error)
  attempt.reply.header('www-authenticate', challenge)
  respond(attempt, error.statusCode, error)
}

/** The error of an `auth` function may contain hosts and credentials, so it is only logged. */
function fail(attempt: Attempt, cause: unknown, logged: Error): void {
  logFailure(attempt.request.log, logged)
  respond(attempt, 500, undecided(cause))
}

/** Names the type alone: the value may be a secret. */
function noDecision(result: unknown): Error {
  const type = result === null ? 'null' : typeof result
  return new TypeError(
    `auth returned a value of the type ${type}, and must return true or false; bearerGuard gives handlers what auth returns`,
  )
}

/** The error of a request about which an `auth` function did not decide. */
export function undecided(cause: unknown): Error {
  return new Error('internal server error', { cause })
}

// A route that uses the check itself may have another check after it, which decides about the response.
function respond({ reply, done, settings }: Attempt, status: number, error: Error): void {
  reply.code(status)
  if (settings.hook === null || settings.errorResponse === null) return done(error)
  let body: unknown
  try {
    body = settings.errorResponse(error)
  } catch (reason) {
    return done(toError(reason))
  }
  if (dropRejection(body)) return done(new Error('errorResponse returned a promise, and must return at once'))
  if (settings.contentType !== null) reply.header('content-type', settings.contentType)
  reply.send(body)
}

/** Returns the token of a request, or why it has none. */
export function tokenOf({ headers }: BearerRequest, settings: Settings): string | UnauthorizedError {
  const field = headers.authorization
  if (field !== undefined && field !== '') return readToken(field, settings) ?? invalidHeader()
  return new UnauthorizedError(
    'CLO_ERR_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER',
    'missing authorization header',
  )
}

/** The error of a request whose token is malformed or not accepted. */
export function invalidHeader(): UnauthorizedError {
  return new UnauthorizedError(
    'CLO_ERR_BEARER_AUTH_INVALID_AUTHORIZATION_HEADER',
    'invalid authorization header',
  )
}
