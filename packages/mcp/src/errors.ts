/** The codes of an {@link McpError}. */
export type McpErrorCode =
  /** An option has the wrong type or name. */
  | 'CLO_ERR_MCP_OPTION'
  /** A route cannot be a tool. */
  | 'CLO_ERR_MCP_ROUTE'
  /** Two tools have the same name. */
  | 'CLO_ERR_MCP_NAME'
  /** The tools exist only when the app is ready. */
  | 'CLO_ERR_MCP_NOT_READY'

/** A mistake in the options of the plugin or of a route; it ends the boot. */
export class McpError extends Error {
  override readonly name: string = 'McpError'
  /** Which mistake it is. */
  readonly code: McpErrorCode

  /** Creates the error; `problem` says what is wrong, where, and what to write instead. */
  constructor(code: McpErrorCode, problem: string) {
    super(problem)
    this.code = code
  }
}

/** The codes of requests that the endpoint refuses. */
export type McpRefusalCode =
  /** 403: a page of another origin sent the request. */
  | 'CLO_ERR_MCP_ORIGIN'
  /** 400: the `Host` of the request is in no URL. */
  | 'CLO_ERR_MCP_HOST'
  /** 401: the caller has no token that is valid for the endpoint. */
  | 'CLO_ERR_MCP_TOKEN'
  /** 403: the caller's token lacks a scope that the guards of a tool demand. */
  | 'CLO_ERR_MCP_SCOPE'
  /** 405: the endpoint has only POST. */
  | 'CLO_ERR_MCP_METHOD'

/** A request that the endpoint refuses; the response is an error response of the app. */
export class McpRefusal extends Error {
  override readonly name: string = 'McpRefusal'
  /** The status of the response. */
  readonly statusCode: number
  /** Why the request is refused. */
  readonly code: McpRefusalCode
  /** The value of `WWW-Authenticate`; `null` if no other credentials help. */
  readonly challenge: string | null

  /** Creates the error; the message is sent to the client. */
  constructor(statusCode: number, code: McpRefusalCode, message: string, challenge: string | null = null) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.challenge = challenge
  }
}

/** Whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
