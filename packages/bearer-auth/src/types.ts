// What the plugin needs of an instance, a request and a reply, and no more: any framework that speaks the
// same interface can register it, and its own types are accepted without a cast.

/** A request as the plugin sees it. */
export interface BearerRequest {
  /** Header fields by lower-case name. */
  readonly headers: { readonly authorization?: string | undefined }
  /** Logger of the request. */
  readonly log: object
}

/** A reply as the plugin sees it. */
export interface BearerReply {
  /** Sets the status. */
  code(status: number): unknown
  /** Sets a header field. */
  header(name: string, value: string): unknown
  /** Answers. */
  send(payload: unknown): unknown
}

/** Calls the next hook; with an error, the error handler. */
export type Done = (error?: Error) => void

/** Checks the token of one request: answers with 401 or hands over an error, else calls `done()`. */
export type VerifyBearerAuth = (request: BearerRequest, reply: BearerReply, done: Done) => void

/** Makes a {@link VerifyBearerAuth} of its own from other options. */
export type VerifyBearerAuthFactory = (options: BearerAuthOptions) => VerifyBearerAuth

/** What an `auth` function answers: whether the token is accepted. */
export type AuthAnswer = boolean | Promise<boolean>

/** Where the check runs: a request hook, or nowhere when the routes name it themselves. */
export type AddHook = boolean | 'onRequest' | 'preParsing'

/** Options of the plugin. */
export interface BearerAuthOptions {
  /** The accepted tokens. Needed unless `auth` is given. */
  readonly keys?: readonly string[] | ReadonlySet<string>
  /** Decides about a token instead of `keys`. Anything but true and false, and every throw, answers 500. */
  auth?(key: string, request: BearerRequest): AuthAnswer
  /** Name of the protection space in the challenge. Default: `'restricted'`. */
  readonly realm?: string
  /** The word before the token. Default: `'Bearer'`. */
  readonly bearerType?: string
  /** `'rfc6750'` (default) wants `bearerType` letter for letter, `'rfc6749'` in any letter case. */
  readonly specCompliance?: 'rfc6750' | 'rfc6749'
  /** Makes the body of a refusal. Default: `{ error: error.message }`. */
  errorResponse?(error: Error): unknown
  /** Media type of that body, when it is not JSON. */
  readonly contentType?: string
  /** `true` or `'onRequest'` (default), `'preParsing'`, or `false` for the two decorators alone. */
  readonly addHook?: AddHook
  /** Log level of refusals. Default: `'error'`; `false` or `null` for none. */
  readonly verifyErrorLogLevel?: string | false | null
}

/** The check as a hook that also gets the body's stream. */
export type PreParsingHook = (
  request: BearerRequest,
  reply: BearerReply,
  payload: unknown,
  done: Done,
) => void

/** What the plugin needs of the instance that registers it. */
export interface BearerAuthApp {
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
