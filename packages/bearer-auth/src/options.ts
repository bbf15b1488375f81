import { BearerAuthOptionError } from './errors.ts'
import { checkKeys } from './keys.ts'
import type { RefusalBody } from './security-scheme.ts'
import type { AddHook, BearerAuthOptions, BearerGuardOptions, BearerRequest } from './types.ts'

/** The checked options with their defaults. */
export interface Settings {
  readonly keys: readonly string[]
  readonly auth: ((key: string, request: BearerRequest) => unknown) | null
  readonly realm: string
  readonly bearerType: string
  readonly anyLetterCase: boolean
  /** `null` leaves the response to the framework */
  readonly errorResponse: ((error: Error) => unknown) | null
  readonly contentType: string | null
  /** the body of refusals, for documents */
  readonly refusal: RefusalBody
  readonly hook: 'onRequest' | 'preParsing' | null
  readonly logLevel: string | null
}

// Options of `register`, which also arrive here.
const REGISTER_OPTIONS = ['prefix', 'logLevel', 'logSerializers', 'serialization']
const OPTIONS = [
  'keys',
  'auth',
  'realm',
  'bearerType',
  'specCompliance',
  'errorResponse',
  'contentType',
  'addHook',
  'verifyErrorLogLevel',
]

// RFC 9110, 5.6.2: a scheme is a token. Realm and media type must be valid in a header field.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PRINTABLE = /^[\x20-\x7e]+$/

/** The options of the plugin or of the guard. */
type GivenOptions = Omit<BearerAuthOptions, 'auth'> & Pick<BearerGuardOptions<unknown>, 'auth'>

/**
 * Checks the options once, at registration, and sets the defaults.
 *
 * @param sendsProblems - the app sends problem details: refusals are its error responses, and it logs them
 */
export function checkOptions(given: GivenOptions, sendsProblems: boolean = false): Settings {
  for (const name of Object.keys(given)) {
    if (!OPTIONS.includes(name) && !REGISTER_OPTIONS.includes(name)) {
      throw invalid(`there is no option '${name}'; the options are ${OPTIONS.join(', ')}`)
    }
  }
  const { auth, errorResponse, bearerType = 'Bearer', realm = 'restricted', contentType } = given
  assertFunction('auth', auth)
  assertFunction('errorResponse', errorResponse)
  assertText('bearerType', bearerType, TOKEN, 'a scheme name, such as Bearer')
  assertText('realm', realm, PRINTABLE, 'printable ASCII text')
  if (contentType !== undefined) assertText('contentType', contentType, PRINTABLE, 'a media type')
  const hook = checkHook(given.addHook)
  return Object.freeze({
    keys: auth === undefined ? checkKeys(given.keys) : [],
    auth: auth ?? null,
    realm,
    bearerType,
    anyLetterCase: checkSpec(given.specCompliance),
    errorResponse: errorResponse ?? (sendsProblems ? null : defaultErrorResponse),
    contentType: contentType ?? null,
    refusal: hook === null ? 'error' : refusalOf(given, sendsProblems),
    hook,
    logLevel: checkLogLevel(given.verifyErrorLogLevel, sendsProblems ? null : 'error'),
  })
}

function refusalOf({ errorResponse, contentType }: GivenOptions, sendsProblems: boolean): RefusalBody {
  if (errorResponse !== undefined) return null
  if (sendsProblems) return 'error'
  return contentType === undefined ? DEFAULT_BODY : null
}

const DEFAULT_BODY = Object.freeze({
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
})

function defaultErrorResponse(error: Error): { error: string } {
  return { error: error.message }
}

function checkSpec(given: unknown): boolean {
  if (given === undefined || given === 'rfc6750') return false
  if (given === 'rfc6749') return true
  throw new BearerAuthOptionError(
    'CLO_ERR_BEARER_AUTH_INVALID_SPEC',
    `option 'specCompliance' must be 'rfc6750' or 'rfc6749'`,
  )
}

function checkHook(given: AddHook | null | undefined): Settings['hook'] {
  if (given === undefined || given === null || given === true) return 'onRequest'
  if (given === false) return null
  if (given === 'onRequest' || given === 'preParsing') return given
  throw new BearerAuthOptionError(
    'CLO_ERR_BEARER_AUTH_INVALID_HOOK',
    `option 'addHook' must be true, false, 'onRequest' or 'preParsing': a later hook would parse the body ` +
      'of a stranger first',
  )
}

function checkLogLevel(given: unknown, byDefault: string | null): string | null {
  if (given === undefined) return byDefault
  if (given === null || given === false) return null
  if (typeof given === 'string') return given
  throw new BearerAuthOptionError(
    'CLO_ERR_BEARER_AUTH_INVALID_LOG_LEVEL',
    `option 'verifyErrorLogLevel' must be the name of a log level, or false`,
  )
}

function assertFunction(name: string, given: unknown): void {
  if (given === undefined || typeof given === 'function') return
  throw invalid(`option '${name}' must be a function, got ${given === null ? 'null' : typeof given}`)
}

function assertText(name: string, given: unknown, pattern: RegExp, wanted: string): void {
  if (typeof given !== 'string' || !pattern.test(given)) throw invalid(`option '${name}' must be ${wanted}`)
}

function invalid(problem: string): BearerAuthOptionError {
  return new BearerAuthOptionError('CLO_ERR_BEARER_AUTH_INVALID_OPTION', problem)
}
