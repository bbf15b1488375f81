import { dependencies } from '../../dependencies.ts'
import { createError } from '../../errors.ts'
import { isFunction, isLate } from '../../functions.ts'
import { kExchange } from '../../symbols.ts'
import type { RoutePlan } from '../route-plan.ts'
import type { RequestState } from '../state.ts'

/** The language of the messages of a validation error, under a key that serializers do not see. */
const LANGUAGE = Symbol('cloister.validation.language')

/**
 * Translates the messages of violations (option `validationMessages`).
 *
 * @returns the language, where the `Accept-Language` header chose one; an empty string where it chose none
 */
export function translateIssues(plan: RoutePlan, request: RequestState, issues: unknown): string | null {
  const { validationMessages } = plan.app.options
  if (validationMessages === null || !Array.isArray(issues)) return null
  if (isFunction(validationMessages)) {
    assertAtOnce(validationMessages(issues, request))
    return null
  }
  const accept = request[kExchange].header('accept-language')
  // Without the header the messages stay as they are, in English.
  const language = accept === undefined ? '' : chooseLanguage(accept, Object.keys(validationMessages))
  const translate = language === '' ? undefined : validationMessages[language]
  if (!isFunction(translate)) return ''
  assertAtOnce(translate(issues))
  return language
}

/** English is there without a translation, so that it comes before languages that the client likes less. */
function chooseLanguage(accept: string, available: readonly string[]): string {
  const headers = { 'accept-language': accept }
  const [best = ''] = new dependencies.Negotiator({ headers }).languages([...new Set(['en', ...available])])
  return best
}

function assertAtOnce(result: unknown): void {
  if (isLate(result)) throw createError('CALLBACK_NOT_SYNC', { name: 'validationMessages' })
}

/** Keeps the language of an error for its response. */
export function markLanguage<E extends Error>(error: E, language: string | null): E {
  if (language !== null && Object.isExtensible(error)) {
    Object.defineProperty(error, LANGUAGE, { value: language })
  }
  return error
}

/** The language of an error: null where the request has chosen none, and empty for English. */
export function languageOf(error: object): string | null {
  const language: unknown = Reflect.get(error, LANGUAGE)
  return typeof language === 'string' ? language : null
}
