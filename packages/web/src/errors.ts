/** The codes of mistakes in the options or in a call, which the developer mends. */
export type WebOptionCode =
  /** An option has the wrong type, name or value; the app does not start. */
  | 'CLO_ERR_WEB_OPTION'
  /** Routes were defined before the plugin was loaded; the app does not start. */
  | 'CLO_ERR_WEB_LATE'
  /** A plugin that does the same work is registered too; the app does not start. */
  | 'CLO_ERR_WEB_PLUGIN_TWICE'
  /** A cookie that no browser would keep, or that the client could use. */
  | 'CLO_ERR_WEB_COOKIE'

/** The codes of refused requests. */
export type WebRefusalCode =
  /** 403: a page of another origin sent the request. */
  | 'CLO_ERR_WEB_CROSS_ORIGIN'
  /** 412: the resource has another version than the client expects. */
  | 'CLO_ERR_WEB_PRECONDITION_FAILED'
  /** 428: the request must say which version it changes. */
  | 'CLO_ERR_WEB_PRECONDITION_REQUIRED'
  /** 415: the content coding of the body is not read. */
  | 'CLO_ERR_WEB_CODING'
  /** 413: the decoded body is larger than the limit, or much larger than the body that was sent. */
  | 'CLO_ERR_WEB_BODY_TOO_LARGE'
  /** 400: the body is not what its content coding says. */
  | 'CLO_ERR_WEB_BODY_INVALID'
  /** 429: too many requests. */
  | 'CLO_ERR_WEB_LIMIT'
  /** 503: the store of the limit failed, and the option `onStoreFailure` is `'refuse'`. */
  | 'CLO_ERR_WEB_LIMIT_STORE'

/** A mistake in the options of the plugin or in a call of one of its methods. */
export class WebOptionError extends Error {
  override readonly name: string = 'WebOptionError'
  /** Which mistake it is. */
  readonly code: WebOptionCode
  /** For error handlers, which respond with the status of an error. */
  readonly statusCode: number = 500

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: WebOptionCode, problem: string) {
    super(problem)
    this.code = code
  }
}

const STATUS: Readonly<Record<WebRefusalCode, number>> = {
  CLO_ERR_WEB_CROSS_ORIGIN: 403,
  CLO_ERR_WEB_PRECONDITION_FAILED: 412,
  CLO_ERR_WEB_PRECONDITION_REQUIRED: 428,
  CLO_ERR_WEB_CODING: 415,
  CLO_ERR_WEB_BODY_TOO_LARGE: 413,
  CLO_ERR_WEB_BODY_INVALID: 400,
  CLO_ERR_WEB_LIMIT: 429,
  CLO_ERR_WEB_LIMIT_STORE: 503,
}

/** A request that the plugin refuses. */
export class WebRefusal extends Error {
  override readonly name: string = 'WebRefusal'
  /** Why the request is refused. */
  readonly code: WebRefusalCode
  /** The status of the response. */
  readonly statusCode: number

  /** Creates the error; the message is sent to the client. */
  constructor(code: WebRefusalCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.statusCode = STATUS[code]
  }
}
