import { createError } from '../errors.ts'
import { isFunction, isRecord, isThenable, typeName } from '../functions.ts'
import { kHeaders } from '../symbols.ts'
import type { ReplyImpl } from './reply.ts'
import type { RequestImpl } from './request.ts'
import type {
  ContentValidators,
  PartValidator,
  PlanValidators,
  RequestPart,
  RoutePlan,
} from './route-plan.ts'
import { createValidationError } from './validation-error.ts'

/** The order in which the parts are validated. */
const PARTS: readonly RequestPart[] = ['params', 'body', 'querystring', 'headers']

/**
 * Stage: every part that has a schema is validated, and replaced by its validated form.
 *
 * The first part that fails ends the request with 400, or with `attachValidation` is kept in
 * `request.validationError`. No handler sees a body that the schema was not applied to.
 */
export function validateRequest(plan: RoutePlan, request: RequestImpl, reply: ReplyImpl): unknown {
  return plan.validators === null ? undefined : validateFrom(plan, plan.validators, request, reply, 0)
}

function validateFrom(
  plan: RoutePlan,
  validators: PlanValidators,
  request: RequestImpl,
  reply: ReplyImpl,
  start: number,
): unknown {
  for (let i = start; i < PARTS.length; i++) {
    const part = PARTS[i]
    if (part === undefined) break
    const validator = chooseValidator(validators[part], plan, request)
    if (validator === null) continue
    const problem = validatePart(plan, validator, request)
    if (isThenable(problem)) {
      return problem.then((settled) =>
        settled === null || attach(plan, request, settled)
          ? validateFrom(plan, validators, request, reply, i + 1)
          : undefined,
      )
    }
    if (problem !== null) attach(plan, request, problem)
  }
  return undefined
}

/** Keeps the first problem for the handler, where the route asks for that; else throws it. */
function attach(plan: RoutePlan, request: RequestImpl, problem: Error): boolean {
  if (!plan.attachValidation) throw problem
  request.validationError ??= problem
  return true
}

/** A `content` map chooses by the media type of the body: one that is not listed is 415, no body at all 400. */
function chooseValidator(
  entry: PartValidator | ContentValidators | null,
  plan: RoutePlan,
  request: RequestImpl,
): PartValidator | null {
  if (entry === null || !('byEssence' in entry)) return entry
  const { essence, text } = request.contentType
  if (request.body === undefined && plan.bodyRule === 'optional') return null
  if (request.body === undefined && essence === '') {
    throw createError('ROUTE_MISSING_CONTENT', { types: [...entry.byEssence.keys()].join(', ') })
  }
  const validator = entry.byEssence.get(essence) ?? entry.byEssence.get('*/*')
  if (validator === undefined) throw createError('CTP_INVALID_MEDIA_TYPE', { mediaType: text })
  return validator
}

function validatePart(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestImpl,
): Error | null | PromiseLike<Error | null> {
  const { part } = validator
  const data = readPart(request, part)
  if (part === 'body' && data === undefined && plan.bodyRule === 'optional') return null
  const result = validator.validate(data)
  if (result === true) {
    if (part === 'headers') writePart(request, part, data)
    return null
  }
  if (isThenable(result)) {
    // A thenable need not give a promise back.
    return Promise.resolve(result).then(
      (settled) =>
        validator.custom ? readResult(plan, validator, request, settled) : accept(request, part, settled),
      (reason: unknown) => readRejection(plan, part, reason),
    )
  }
  return readResult(plan, validator, request, result)
}

/** An Ajv schema with `$async` resolves to the validated data itself, whatever properties that has. */
function accept(request: RequestImpl, part: RequestPart, data: unknown): null {
  writePart(request, part, data)
  return null
}

/** A rejection is a validation error when it carries `errors` or is an Error with status 400, else it is an error. */
function readRejection(plan: RoutePlan, part: RequestPart, reason: unknown): Error {
  if (isRecord(reason) || reason instanceof Error) {
    const errors: unknown = Reflect.get(reason, 'errors')
    if (Array.isArray(errors)) return createValidationError(plan, errors, part)
    if (reason instanceof Error && Reflect.get(reason, 'statusCode') === 400) {
      return createValidationError(plan, reason, part)
    }
  }
  throw reason
}

function readResult(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestImpl,
  result: unknown,
): Error | null {
  const { part, validate, custom, admitsAbsence } = validator
  if (result === false) {
    const absent = readPart(request, part) === undefined
    if (absent && admitsAbsence) return accept(request, part, null)
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
  if (isFunction(validate) && Array.isArray(validate.errors) && validate.errors.length > 0) {
    return createValidationError(plan, validate.errors, part)
  }
  throw createError('VALIDATOR_RESULT', { part, route: plan.label, what: 'nothing' })
}

function readPart(request: RequestImpl, part: RequestPart): unknown {
  switch (part) {
    case 'params':
      return request.params
    case 'body':
      return request.body
    case 'querystring':
      return request.query
    case 'headers':
      // Validation may coerce and remove: that must not reach the raw headers.
      return { ...request.headers }
  }
}

/** Headers of a custom validator are laid over those that came: libraries drop what they do not know. */
function replacePart(request: RequestImpl, part: RequestPart, value: unknown): void {
  if (part === 'headers') Reflect.set(request, 'headers', value)
  else writePart(request, part, value)
}

function writePart(request: RequestImpl, part: RequestPart, value: unknown): void {
  switch (part) {
    case 'params':
      request.params = value
      break
    case 'body':
      request.body = value
      break
    case 'querystring':
      request.query = value
      break
    case 'headers':
      if (isRecord(value)) Reflect.set(request, kHeaders, value)
  }
}
