import { formatChallenge, formatRefusal } from './challenge.ts'
import { BearerAuthOptionError, dropRejection, toError, UnauthorizedError } from './errors.ts'
import { createKeyMatcher } from './key-matcher.ts'
import { checkOptions, type Settings } from './options.ts'
import { logFailure, logRefusal } from './refusal-log.ts'
import { declareScheme } from './security-scheme.ts'
import type { BearerGuardOptions, BearerReply, BearerRequest } from './types.ts'
import { invalidHeader, tokenOf, undecided } from './verify.ts'

/** A function for `addGuard`; its value is what `auth` returned for the token. */
export type BearerGuard<Value> = (
  request: BearerRequest,
  reply: BearerReply,
) => Value | undefined | Promise<Value | undefined>

/**
 * Creates a guard for `addGuard`, whose value is what `auth` returns for the token, such as a user; `true` with `keys`. It
 * refuses with an error of the app (401) and a challenge in `WWW-Authenticate`, and declares the security scheme
 * `bearer`.
 *
 * @throws {@link BearerAuthOptionError} for options that are misspelt or of the wrong type
 * @example
 * ```ts
 * import { bearerGuard } from '@cloister/bearer-auth'
 * import { cloister } from 'cloister'
 *
 * const users = new Map([['a-long-random-token', { name: 'Ada' }]])
 * const app = cloister({ strict: true })
 * app.register(async (scope) => {
 *   const api = scope.addGuard('user', bearerGuard({ auth: (token) => users.get(token) }))
 *   api.get('/me', (request) => ({ name: request.user.name }))
 * })
 * ```
 */
export function bearerGuard<Value = true>(
  options: BearerGuardOptions<Value>,
): BearerGuard<Exclude<Value, false | null | undefined>>
export function bearerGuard(options: BearerGuardOptions<unknown>): BearerGuard<unknown> {
  if ('addHook' in options) {
    throw new BearerAuthOptionError(
      'CLO_ERR_BEARER_AUTH_INVALID_OPTION',
      `there is no option 'addHook' of bearerGuard; the option 'at' of addGuard chooses the stage`,
    )
  }
  const settings = checkOptions(options, true)
  const { auth } = settings
  const isKey = createKeyMatcher(settings.keys)
  const challenge = formatChallenge(settings.bearerType, settings.realm)
  const refused = formatRefusal(challenge)

  const guard: BearerGuard<unknown> = (request, reply) => {
    const attempt: Attempt = { request, reply, settings }
    const token = tokenOf(request, settings)
    if (token instanceof UnauthorizedError) return refuse(attempt, token, challenge)
    const settle = (value: unknown): unknown =>
      value === false || value === null || value === undefined
        ? refuse(attempt, invalidHeader(), refused)
        : value
    if (auth === null) return settle(isKey(token))
    let value: unknown
    let isLate: boolean
    try {
      value = auth(token, request)
      isLate = isThenable(value)
    } catch (reason) {
      return fail(request, reason)
    }
    return isLate ? settleLater(value, settle, request) : settle(value)
  }
  return declareScheme(guard, settings)
}

interface Attempt {
  readonly request: BearerRequest
  readonly reply: BearerReply
  readonly settings: Settings
}

/** Queries of databases are often thenables, and no promises. */
function isThenable(value: unknown): boolean {
  const hasMembers = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return hasMembers && typeof Reflect.get(value, 'then') === 'function'
}

async function settleLater(
  later: unknown,
  settle: (value: unknown) => unknown,
  request: BearerRequest,
): Promise<unknown> {
  let value: unknown
  try {
    value = await later
  } catch (reason) {
    return fail(request, reason)
  }
  return settle(value)
}

/** Throws the error for the app, or sends the body of the options. */
function refuse(
  { request, reply, settings }: Attempt,
  error: UnauthorizedError,
  challenge: string,
): undefined {
  const { logLevel, errorResponse, contentType } = settings
  logRefusal(request.log, logLevel, error)
  reply.header('www-authenticate', challenge)
  if (errorResponse === null) throw error
  const body = errorResponse(error)
  if (dropRejection(body)) throw new Error('errorResponse returned a promise, and must return at once')
  reply.code(error.statusCode)
  if (contentType !== null) reply.header('content-type', contentType)
  reply.send(body)
}

/** The error of an `auth` function may contain hosts and credentials, so it is only logged. */
function fail({ log }: BearerRequest, reason: unknown): never {
  logFailure(log, toError(reason))
  throw undecided(reason)
}
