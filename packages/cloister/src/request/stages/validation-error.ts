import { createError, isError } from '../../errors.ts'
import { isRecord } from '../../functions.ts'
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
  if (isError(found)) return describe(found, found, part)
  const formatter = plan.schemaErrorFormatter
  const formatted: unknown = formatter === null ? formatErrors(found, part) : formatter(found, part)
  const error = isError(formatted) ? formatted : createError('VALIDATION', { message: String(formatted) })
  return describe(error, found, part)
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

/** The usual message: every part, place and rule that was violated. */
function formatErrors(found: unknown, part: RequestPart): Error {
  const texts = Array.isArray(found) ? found.map((item) => formatOne(item, part)) : [formatOne(found, part)]
  return createError('VALIDATION', { message: texts.join(', ') || `${part} is not valid` })
}

function formatOne(item: unknown, part: RequestPart): string {
  if (!isRecord(item)) return typeof item === 'string' ? `${part} ${item}` : `${part} is not valid`
  const { instancePath, message } = item
  const place = typeof instancePath === 'string' ? instancePath : ''
  return `${part}${place} ${typeof message === 'string' ? message : 'is not valid'}`
}
