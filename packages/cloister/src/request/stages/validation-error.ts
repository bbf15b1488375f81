import { createError, createStacklessError } from '../../errors.ts'
import { isError } from '../../read-error.ts'
import { isLate, isRecord } from '../../functions.ts'
import type { RequestPart, RoutePlan } from '../route-plan.ts'

/** Where validation failed, as `error.validationContext` says it. */
const CONTEXT: Readonly<Record<RequestPart, string>> = {
  body: 'body',
  params: 'params',
  querystring: 'query',
  headers: 'headers',
}

/**
 * Makes the error of a part that is not valid: `statusCode` 400, `validation` with what the validator said,
 * `validationContext` with the part. A formatter of the application may build the Error; its status stands.
 */
export function createValidationError(plan: RoutePlan, found: unknown, part: RequestPart): Error {
  if (isError(found)) return describe(thaw(found), found, part)
  const formatter = plan.schemaErrorFormatter
  const formatted: unknown = formatter === null ? formatErrors(found, part) : formatter(found, part)
  if (isLate(formatted)) throw createError('SCHEMA_ERROR_FORMATTER_NOT_FN', { type: 'promise' })
  const error = isError(formatted) ? formatted : createError('VALIDATION', { message: String(formatted) })
  return describe(error, found, part)
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

/** An Error that is its own `validation` keeps that out of sight of serializers, which would go round in circles. */
function setIfMissing(error: Error, key: string, value: unknown, enumerable: boolean): void {
  if (Reflect.get(error, key) !== undefined) return
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}

/** Lists at most this many violations; nested unions can have millions. */
const MOST_LISTED = 200
/** Pointers contain names from the client, which may be as long as its body. */
const MOST_POINTER_LENGTH = 1000

/** Formats the default message: every violated rule with its part and pointer. */
function formatErrors(found: unknown, part: RequestPart): Error {
  const items: readonly unknown[] = Array.isArray(found) ? found : [found]
  const texts = items.slice(0, MOST_LISTED).map((item) => formatOne(item, part))
  if (items.length > MOST_LISTED) texts.push(`and ${items.length - MOST_LISTED} more`)
  return createStacklessError('VALIDATION', { message: texts.join(', ') || `${part} is not valid` })
}

function formatOne(item: unknown, part: RequestPart): string {
  if (!isRecord(item)) return typeof item === 'string' ? `${part} ${item}` : `${part} is not valid`
  const { instancePath, message } = item
  const path = typeof instancePath === 'string' ? instancePath : ''
  const pointer = path.length > MOST_POINTER_LENGTH ? `${path.slice(0, MOST_POINTER_LENGTH)}…` : path
  return `${part}${pointer} ${typeof message === 'string' ? message : 'is not valid'}`
}
