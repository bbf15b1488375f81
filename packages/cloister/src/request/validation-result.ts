import { createError } from '../errors.ts'
import { isRecord, typeName } from '../functions.ts'
import { replacePart, writePart } from './request-parts.ts'
import type { RequestImpl } from './request.ts'
import type { PartValidator, RequestPart, RoutePlan } from './route-plan.ts'
import { createValidationError } from './validation-error.ts'

/**
 * What the validators of a part may answer. Ajv answers with a boolean, or for a `$async` schema with a promise of
 * the data; an application's own validator with a boolean, `{ value }`, `{ error }`, or a promise of one of these.
 * The two are told apart by who compiled the function, never by looking at the data.
 */

/** An Ajv schema with `$async` resolves to the validated data itself, whatever properties that has. */
export function accept(request: RequestImpl, part: RequestPart, data: unknown): null {
  writePart(request, part, data)
  return null
}

/** A rejection is a validation error when it carries `errors` or is an Error with status 400, else it is an error. */
export function readRejection(plan: RoutePlan, part: RequestPart, reason: unknown): Error {
  if (isRecord(reason) || reason instanceof Error) {
    const errors: unknown = Reflect.get(reason, 'errors')
    if (Array.isArray(errors)) return createValidationError(plan, errors, part)
    if (reason instanceof Error && Reflect.get(reason, 'statusCode') === 400) {
      return createValidationError(plan, reason, part)
    }
  }
  throw reason
}

export function readResult(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestImpl,
  result: unknown,
): Error | null {
  const { part, validate, custom, admitsAbsence } = validator
  if (result === false) {
    if (part === 'body' && request.body === undefined && admitsAbsence) return null
    return createValidationError(plan, validate.errors ?? [], part)
  }
  if (result === true) return null
  if (!custom) return null
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
