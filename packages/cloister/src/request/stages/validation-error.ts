import { atOnce, createError, createStacklessError } from '../../errors.ts'
import { isError } from '../../read-error.ts'
import { isFunction, isLate, isRecord, typeName } from '../../guards.ts'
import type { RequestPart } from '../route-plan.ts'
import { dependencies } from '../../dependencies.ts'
import { kExchange, kPlan } from '../../symbols.ts'
import { mediaTypeOf } from '../request.ts'
import type { RequestState } from '../state.ts'

/** The values of `error.validationContext`. */
const CONTEXT: Readonly<Record<RequestPart, string>> = {
  body: 'body',
  params: 'params',
  querystring: 'query',
  headers: 'headers',
  cookies: 'cookies',
}

/**
 * Creates the error of an invalid part: `statusCode` 400, `validation` with the violations, `validationContext` with
 * the part. A formatter of the application may create the Error; its status is kept.
 */
export function createValidationError(
  request: RequestState,
  found: unknown,
  part: RequestPart,
  isOfAjv: boolean = false,
): Error {
  const language = isOfAjv ? translateIssues(request, found) : null
  const error = makeError(request, found, part)
  if (language !== null) set(error, LANGUAGE, language, false)
  return error
}

function makeError(request: RequestState, found: unknown, part: RequestPart): Error {
  if (isError(found)) return describe(thaw(found), found, part)
  const formatter = request[kPlan].schemaErrorFormatter
  if (formatter === null) return describe(formatErrors(found, part, request), found, part)
  const error = thaw(toError(formatter(found, part), () => formatErrors(found, part, request)))
  // A formatter may return the same Error each time; it gets the violations of this request.
  set(error, 'validation', found, true)
  set(error, 'validationContext', CONTEXT[part], true)
  return describe(error, found, part)
}

/**
 * Returns the Error of a formatter, or creates one with its text or the members of its object. An object without a
 * message gets that of the default error.
 */
function toError(formatted: unknown, makeDefault: () => Error): Error {
  if (isError(formatted)) return formatted
  if (isLate(formatted)) throw createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: 'promise' })
  if (typeof formatted === 'string') return createError('VALIDATION', { message: formatted })
  if (!isRecord(formatted))
    throw createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: `one that returned ${typeName(formatted)}` })
  const error = makeDefault()
  const { message = error.message } = formatted
  return Object.assign(error, formatted, { message })
}

/** Replaces a frozen Error, to which the request part cannot be added, by a new one. */
function thaw(error: Error): Error {
  return Object.isExtensible(error)
    ? error
    : createError('VALIDATION', { message: error.message }, { cause: error })
}

function describe(error: Error, validation: unknown, part: RequestPart): Error {
  setIfMissing(error, 'validation', validation, validation !== error)
  setIfMissing(error, 'validationContext', CONTEXT[part], true)
  setIfMissing(error, 'statusCode', 400, true)
  setIfMissing(error, 'code', 'CLO_ERR_VALIDATION', true)
  return error
}

/** Hides an Error that is its own `validation` from serializers, which would recurse endlessly. */
function setIfMissing(error: Error, key: string, value: unknown, enumerable: boolean): void {
  if (Reflect.get(error, key) === undefined) set(error, key, value, enumerable)
}

function set(error: Error, key: PropertyKey, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}

/** Lists at most this many violations; nested unions can have millions. */
const MAX_LISTED = 200
/** Pointers contain names from the client, which may be as long as its body. */
const MAX_POINTER_LENGTH = 1000

/** Formats the default message: every violated rule with its part and pointer. */
function formatErrors(found: unknown, part: RequestPart, request: RequestState): Error {
  const items: readonly unknown[] = Array.isArray(found) ? found : [found]
  const texts = items.slice(0, MAX_LISTED).map((item) => formatOne(item, part))
  if (items.length > MAX_LISTED) texts.push(`and ${items.length - MAX_LISTED} more`)
  const message = texts.join(', ') || `${part} is not valid`
  return createStacklessError('VALIDATION', {
    message: part === 'body' && isUntypedJson(request) ? message + UNTYPED_JSON : message,
  })
}

const UNTYPED_JSON = '; it was sent as text/plain: send JSON with the header Content-Type: application/json'

/** Whether a body is JSON that was sent as text, as by `fetch` with a string and no header. */
function isUntypedJson(request: RequestState): boolean {
  const { body } = request
  return typeof body === 'string' && /^\s*[{[]/.test(body) && mediaTypeOf(request).essence === 'text/plain'
}

function formatOne(item: unknown, part: RequestPart): string {
  if (!isRecord(item)) return typeof item === 'string' ? `${part} ${item}` : `${part} is not valid`
  const { instancePath, message } = item
  const path = typeof instancePath === 'string' ? instancePath : ''
  const pointer = path.length > MAX_POINTER_LENGTH ? `${path.slice(0, MAX_POINTER_LENGTH)}…` : path
  return `${part}${pointer} ${typeof message === 'string' ? message : 'is not valid'}`
}

/** The language of the messages of a validation error, under a key that serializers do not see. */
const LANGUAGE = Symbol('cloister.validation.language')

/**
 * Translates the messages of violations (option `validationMessages`).
 *
 * @returns the language, where the `Accept-Language` header chose one; an empty string where it chose none
 */
function translateIssues(request: RequestState, issues: unknown): string | null {
  const { validationMessages } = request[kPlan].app.options
  if (validationMessages === null || !Array.isArray(issues)) return null
  if (isFunction(validationMessages)) {
    atOnce(validationMessages(issues, request), 'validationMessages')
    return null
  }
  const accept = request[kExchange].header('accept-language')
  // Without the header the messages stay as they are, in English.
  const language = accept === undefined ? '' : chooseLanguage(accept, Object.keys(validationMessages))
  const translate = validationMessages[language]
  if (!isFunction(translate)) return ''
  atOnce(translate(issues), 'validationMessages')
  return language
}

/** English needs no translation, so it takes precedence over languages that the client likes less. */
function chooseLanguage(accept: string, available: readonly string[]): string {
  const [best = ''] = dependencies.preferredLanguages()(accept, [...new Set(['en', ...available])])
  return best
}

/** Returns the language of an error: null if the request has selected none, and empty for English. */
export function languageOf(error: object): string | null {
  const language: unknown = Reflect.get(error, LANGUAGE)
  return typeof language === 'string' ? language : null
}
