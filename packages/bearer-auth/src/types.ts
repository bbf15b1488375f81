// The members of an instance, a request and a reply that the plugin uses: any framework with the same interface can
// register it, without a cast.

/** The members of a request that the plugin uses. */
export interface BearerRequest {
  /** Header fields by lower-case name. */
  readonly headers: { readonly authorization?: string | undefined }
  /** Logger of the request. */
  readonly log: object
  /** The instance of the route. With the option `problemDetails`, refusals are its error responses. */
  readonly server?: { readonly initialConfig?: object }
}

/** The members of a reply that the plugin uses. */
export interface BearerReply {
  /** Sets the status. */
  code(status: number): unknown
  /** Sets a header field. */
  header(name: string, value: string): unknown
  /** Sends the response. */
  send(payload: unknown): unknown
}

/** Calls the next hook, or the error handler if there is an error. */
export type Done = (error?: Error) => void

/** Checks the token of one request: sends a 401 or calls `done` with an error, otherwise calls `done()`. */
export type VerifyBearerAuth = (request: BearerRequest, reply: BearerReply, done: Done) => void

/** Creates another {@link VerifyBearerAuth} with other options. */
export type VerifyBearerAuthFactory = (options: BearerAuthOptions) => VerifyBearerAuth

/** The result of an `auth` function: whether the token is accepted. */
export type AuthResult = boolean | Promise<boolean>

/** Where the check runs: in a request hook, or nowhere if routes use the check themselves. */
export type AddHook = boolean | 'onRequest' | 'preParsing'

/** Options of the plugin. */
export interface BearerAuthOptions {
  /** The accepted tokens. Required unless `auth` is given. */
  readonly keys?: readonly string[] | ReadonlySet<string>
  /** Checks a token instead of `keys`. Any result other than true and false, and any error, leads to a 500. */
  auth?(key: string, request: BearerRequest): AuthResult
  /** Name of the protection space in the challenge. Default: `'restricted'`. */
  readonly realm?: string
  /** The scheme before the token. Default: `'Bearer'`. */
  readonly bearerType?: string
  /** `'rfc6750'` (default) requires `bearerType` exactly, `'rfc6749'` ignores its case. */
  readonly specCompliance?: 'rfc6750' | 'rfc6749'
  /** Returns the body of a refusal. Default: `{ error: error.message }`; an error of the app if it has `problemDetails`. */
  errorResponse?(error: Error): unknown
  /** Media type of that body, if it is not JSON. */
  readonly contentType?: string
  /** `true` or `'onRequest'` (default), `'preParsing'`, or `false` to only add the two decorators. */
  readonly addHook?: AddHook
  /** Log level of refusals. Default: `'error'`, or none where the app logs them (`problemDetails`); `false` or `null` disables the log. */
  readonly verifyErrorLogLevel?: string | false | null
}

/** Options of `bearerGuard`. */
export interface BearerGuardOptions<Value> extends Omit<BearerAuthOptions, 'auth' | 'addHook' | 'keys'> {
  /** The accepted tokens. Required unless `auth` is given; the value of the guard is `true` then. */
  readonly keys?: readonly string[] | ReadonlySet<string>
  /**
   * Returns the value for a token, or a promise of it; `false`, `null` and `undefined` refuse the token. An error leads to a
   * 500.
   */
  auth?(key: string, request: BearerRequest): Value | PromiseLike<Value>
}

/** The check as a hook that also gets the stream of the body. */
export type PreParsingHook = (
  request: BearerRequest,
  reply: BearerReply,
  payload: unknown,
  done: Done,
) => void

/** The members of an instance that the plugin uses. */
export interface BearerAuthApp {
  /** The options of the application. With `problemDetails`, refusals are its error responses. */
  readonly initialConfig?: object
  /** Logger of the application. */
  readonly log: object
  /** Adds a request hook. */
  addHook(name: 'onRequest', hook: (request: BearerRequest, reply: BearerReply, done: Done) => void): unknown
  /** Adds a request hook. */
  addHook(name: 'preParsing', hook: PreParsingHook): unknown
  /** Adds a property to the instance. */
  decorate(name: string, value: unknown): unknown
}

/** The plugin before it is wrapped. */
export type BearerAuthPlugin = (app: BearerAuthApp, options: BearerAuthOptions) => Promise<void>
