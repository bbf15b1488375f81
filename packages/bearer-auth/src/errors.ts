/** The codes of mistakes in the options, which end the boot. */
export type BearerAuthOptionCode =
  | 'CLO_ERR_BEARER_AUTH_INVALID_OPTION'
  | 'CLO_ERR_BEARER_AUTH_INVALID_KEYS_OPTION_TYPE'
  | 'CLO_ERR_BEARER_AUTH_KEYS_OPTION_INVALID_KEY_TYPE'
  | 'CLO_ERR_BEARER_AUTH_KEYS_OPTION_EMPTY'
  | 'CLO_ERR_BEARER_AUTH_INVALID_HOOK'
  | 'CLO_ERR_BEARER_AUTH_INVALID_SPEC'
  | 'CLO_ERR_BEARER_AUTH_INVALID_LOG_LEVEL'

/** A mistake in the options of the plugin. Its message never contains a key. */
export class BearerAuthOptionError extends TypeError {
  override readonly name = 'BearerAuthOptionError'
  /** Which mistake it is. */
  readonly code: BearerAuthOptionCode
  /** For error handlers, which respond with the status of an error. */
  readonly statusCode = 500

  /** Creates the error; `problem` names the option, what was given and what is expected. */
  constructor(code: BearerAuthOptionCode, problem: string) {
    super(`bearer-auth: ${problem}`)
    this.code = code
  }
}

/** The codes of refused requests. */
export type UnauthorizedCode =
  | 'CLO_ERR_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER'
  | 'CLO_ERR_BEARER_AUTH_INVALID_AUTHORIZATION_HEADER'

/** A request without a valid token. */
export class UnauthorizedError extends Error {
  override readonly name = 'UnauthorizedError'
  /** Whether the header is missing, or has no valid token. */
  readonly code: UnauthorizedCode
  /** The status of the response. */
  readonly statusCode = 401

  /** Creates the error. */
  constructor(code: UnauthorizedCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Converts a thrown value to an Error; reading the value may throw too. */
export function toError(reason: unknown): Error {
  dropRejection(reason)
  try {
    return reason instanceof Error ? reason : new Error(String(reason), { cause: reason })
  } catch {
    return new Error('something that cannot be read', { cause: reason })
  }
}

/** Whether a value is a promise; ignores its rejection. */
export function dropRejection(value: unknown): boolean {
  try {
    if (!(value instanceof Promise)) return false
    value.catch((reason: unknown) => void dropRejection(reason))
    return true
  } catch {
    return false
  }
}
