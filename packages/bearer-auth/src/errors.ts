/** Codes of mistakes in the options; such an error ends the boot. */
export type BearerAuthOptionCode =
  | 'CLO_ERR_BEARER_AUTH_INVALID_OPTION'
  | 'CLO_ERR_BEARER_AUTH_INVALID_KEYS_OPTION_TYPE'
  | 'CLO_ERR_BEARER_AUTH_KEYS_OPTION_INVALID_KEY_TYPE'
  | 'CLO_ERR_BEARER_AUTH_KEYS_OPTION_EMPTY'
  | 'CLO_ERR_BEARER_AUTH_INVALID_HOOK'
  | 'CLO_ERR_BEARER_AUTH_INVALID_SPEC'
  | 'CLO_ERR_BEARER_AUTH_INVALID_LOG_LEVEL'

/** A mistake in the options of the plugin. No message ever holds a key. */
export class BearerAuthOptionError extends TypeError {
  override readonly name = 'BearerAuthOptionError'
  /** Which mistake. */
  readonly code: BearerAuthOptionCode
  /** For error handlers that answer with the status of an error. */
  readonly statusCode = 500

  /** Makes the error; `problem` names the option, what was given and what is wanted. */
  constructor(code: BearerAuthOptionCode, problem: string) {
    super(`bearer-auth: ${problem}`)
    this.code = code
  }
}

/** Codes of refused requests. */
export type UnauthorizedCode =
  | 'CLO_ERR_BEARER_AUTH_MISSING_AUTHORIZATION_HEADER'
  | 'CLO_ERR_BEARER_AUTH_INVALID_AUTHORIZATION_HEADER'

/** A request without a valid token. */
export class UnauthorizedError extends Error {
  override readonly name = 'UnauthorizedError'
  /** Which of the two: no header, or a header that does not hold a valid token. */
  readonly code: UnauthorizedCode
  /** The status of the answer. */
  readonly statusCode = 401

  /** Makes the error. */
  constructor(code: UnauthorizedCode, message: string) {
    super(message)
    this.code = code
  }
}

/** An Error for anything that was thrown; it may throw itself when it is looked at. */
export function toError(reason: unknown): Error {
  dropRejection(reason)
  try {
    return reason instanceof Error ? reason : new Error(String(reason), { cause: reason })
  } catch {
    return new Error('something that cannot be read', { cause: reason })
  }
}

/** Whether a value is a promise; what it rejects with is dropped. */
export function dropRejection(value: unknown): boolean {
  try {
    if (!(value instanceof Promise)) return false
    value.catch((reason: unknown) => void dropRejection(reason))
    return true
  } catch {
    return false
  }
}
