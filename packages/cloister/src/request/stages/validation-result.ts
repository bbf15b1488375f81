import { createError } from '../../errors.ts'
import { isRecord, typeName } from '../../functions.ts'
import { replacePart, writePart } from './request-parts.ts'
import type { RequestState } from '../state.ts'
import type { PartValidator, RequestPart, RoutePlan } from '../route-plan.ts'
import { markLanguage, translateIssues } from './translate-issues.ts'
import { createValidationError } from './validation-error.ts'

/**
 * What the validators of a part may return. Ajv returns a boolean, or for a `$async` schema with a promise of
 * the data; an application's own validator with a boolean, `{ value }`, `{ error }`, or a promise of one of these.
 * The compiler of the function decides which of the two it is, never the data.
 */

/** An Ajv schema with `$async` resolves to the validated data itself, whatever properties that has. */
export function accept(request: RequestState, part: RequestPart, data: unknown): null {
  writePart(request, part, data)
  return null
}

/** Under these names the errors of Ajv and Yup, of Joi, and of Zod list what they found. */
const LISTS = ['errors', 'details', 'issues']

/**
 * A rejection is a validation error when it carries the list of a validation library or is an Error with status 400,
 * else it is an error like any other: a database that is away is not the client's mistake.
 */
export function readRejection(
  plan: RoutePlan,
  part: RequestPart,
  reason: unknown,
  request: RequestState,
): Error {
  if (reason instanceof AggregateError) throw reason
  if (!(reason instanceof Error)) {
    if (isRecord(reason) && Array.isArray(reason['errors']))
      return createValidationError(plan, reason['errors'], part)
    throw reason
  }
  const list = LISTS.map((name): unknown => Reflect.get(reason, name)).find(Array.isArray)
  const isOfAjv = Reflect.get(reason, 'ajv') === true
  if (list === undefined && Reflect.get(reason, 'statusCode') !== 400) throw reason
  const language = isOfAjv ? translateIssues(plan, request, list) : null
  return markLanguage(createValidationError(plan, isOfAjv ? list : reason, part), language)
}

/**
 * What a custom validator resolves to. One that fulfils without `{ value }` or `{ error }` has said yes, as `validateAsync`
 * of a library does, and the part stays as it is.
 */
export function readSettled(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestState,
  settled: unknown,
): Error | null {
  const isAnswer = settled === false || (isRecord(settled) && ('value' in settled || 'error' in settled))
  return isAnswer ? readResult(plan, validator, request, settled) : null
}

export function readResult(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestState,
  result: unknown,
): Error | null {
  const { part, validate, custom, allowsMissing } = validator
  if (result === false) {
    if (request.body === undefined && allowsMissing) return null
    const found = validate.errors ?? []
    const language = custom ? null : translateIssues(plan, request, found)
    return markLanguage(createValidationError(plan, found, part), language)
  }
  if (result === undefined || result === null) return readBareResult(plan, validator)
  if (!isRecord(result)) {
    throw createError('VALIDATOR_RESULT', { part, route: plan.label, what: typeName(result) })
  }
  const { error } = result
  if (error !== undefined && error !== null && error !== false)
    return createValidationError(plan, error, part)
  if (Object.hasOwn(result, 'value') && result['value'] !== undefined)
    replacePart(request, part, result['value'])
  else if (!('error' in result) && !('value' in result)) {
    throw createError('VALIDATOR_RESULT', {
      part,
      route: plan.label,
      what: 'an object without value and error',
    })
  }
  return null
}

/** A validator that returns nothing has said what it found in its `errors`. */
function readBareResult(plan: RoutePlan, { part, validate }: PartValidator): Error | null {
  if (Array.isArray(validate.errors) && validate.errors.length > 0) {
    return createValidationError(plan, validate.errors, part)
  }
  throw createError('VALIDATOR_RESULT', { part, route: plan.label, what: 'nothing' })
}
