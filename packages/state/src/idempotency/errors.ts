/** The codes of mistakes in the options, which end the boot. */
export type IdempotencyOptionCode =
  /** An option of the plugin has the wrong type or name, or `scope` is missing. */
  | 'CLO_ERR_IDEMPOTENCY_OPTION'
  /** The route option is not valid, or the route can't be idempotent. */
  | 'CLO_ERR_IDEMPOTENCY_ROUTE'
  /** The route was defined before the plugin was loaded. */
  | 'CLO_ERR_IDEMPOTENCY_LATE'

/** The codes of refused requests. */
export type IdempotencyRefusalCode =
  /** 400: the key is missing, but required. */
  | 'CLO_ERR_IDEMPOTENCY_KEY_MISSING'
  /** 400: the key is empty, longer than 255 characters, or has others than visible ASCII. */
  | 'CLO_ERR_IDEMPOTENCY_KEY_INVALID'
  /** 409: a request with the key is running; `Retry-After` says when to try again. */
  | 'CLO_ERR_IDEMPOTENCY_RUNNING'
  /** 409: the request was done, but its response is not kept. */
  | 'CLO_ERR_IDEMPOTENCY_NOT_KEPT'
  /** 422: the key was used for another request. */
  | 'CLO_ERR_IDEMPOTENCY_MISMATCH'
  /** 503: the state failed, and the option `onStateFailure` is `'refuse'`. */
  | 'CLO_ERR_IDEMPOTENCY_STATE'
  /** 500: `scope` returned no text; the mistake of the app. */
  | 'CLO_ERR_IDEMPOTENCY_SCOPE'
  /** 500: the body is a stream or an object that can't be compared; the mistake of the app. */
  | 'CLO_ERR_IDEMPOTENCY_BODY'

/** A mistake in the options of the plugin or of a route. */
export class IdempotencyOptionError extends Error {
  override readonly name: string = 'IdempotencyOptionError'
  /** Which mistake it is. */
  readonly code: IdempotencyOptionCode

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: IdempotencyOptionCode, problem: string) {
    super(problem)
    this.code = code
  }
}

const STATUS: Readonly<Record<IdempotencyRefusalCode, number>> = {
  CLO_ERR_IDEMPOTENCY_KEY_MISSING: 400,
  CLO_ERR_IDEMPOTENCY_KEY_INVALID: 400,
  CLO_ERR_IDEMPOTENCY_RUNNING: 409,
  CLO_ERR_IDEMPOTENCY_NOT_KEPT: 409,
  CLO_ERR_IDEMPOTENCY_MISMATCH: 422,
  CLO_ERR_IDEMPOTENCY_STATE: 503,
  CLO_ERR_IDEMPOTENCY_SCOPE: 500,
  CLO_ERR_IDEMPOTENCY_BODY: 500,
}

/** A request that the plugin refuses. */
export class IdempotencyRefusal extends Error {
  override readonly name: string = 'IdempotencyRefusal'
  /** Why the request is refused. */
  readonly code: IdempotencyRefusalCode
  /** The status of the response. */
  readonly statusCode: number

  /** Creates the error; the message is sent to the client. */
  constructor(code: IdempotencyRefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.statusCode = STATUS[code]
  }
}
