import { unsupportedType } from '../../body/unsupported-type.ts'
import { acceptedTypes } from './negotiate.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import { isThenable, isRecord, recordOf, typeName } from '../../guards.ts'
import { LibraryOutput } from '../../libraries/validate.ts'
import { mediaTypeOf } from '../request.ts'
import { failIfOurs } from '../run-stages.ts'
import type { ReplyState, RequestState } from '../state.ts'
import type { ContentValidators, PartValidator, RequestPart, RoutePlan } from '../route-plan.ts'
import { createValidationError } from './validation-error.ts'
import { kPlan, kState } from '../../symbols.ts'

/**
 * Stage: validates every request part that has a schema, and replaces it by its validated form, in the order `params`,
 * `body`, `querystring`, `headers`, `cookies`.
 *
 * The first part that fails ends the request with 400; with `attachValidation`, the error is stored in
 * `request.validationError`. No handler gets a body that was not validated.
 */
export function validateRequest(
  plan: RoutePlan,
  request: RequestState,
  reply: ReplyState,
  start: number = 0,
  epoch: number = reply[kState].epoch,
): unknown {
  const { validators } = plan
  if (validators === null) return undefined
  for (let i = start; i < validators.inOrder.length; i++) {
    const entry = validators.inOrder[i]
    if (entry === undefined) break
    const validator = entry.byMediaType === null ? entry : chooseByType(entry, request)
    if (validator === null) continue
    const problem = validatePart(validator, request)
    if (problem === null) continue
    if (isThenable(problem)) {
      return problem.then((settled) =>
        settled === null || attached(plan, request, settled)
          ? validateRequest(plan, request, reply, i + 1, epoch)
          : failIfOurs(reply, epoch, settled),
      )
    }
    // Not thrown: V8 does not optimize functions that always throw, and a client may send only invalid requests.
    if (!attached(plan, request, problem)) return failIfOurs(reply, epoch, problem)
  }
  return undefined
}

/** Stores the first error for the handler if the route has `attachValidation`; otherwise returns `false`. */
function attached(plan: RoutePlan, request: RequestState, problem: Error): boolean {
  if (!plan.attachValidation) return false
  prefixCode(problem, plan.app.options)
  request.validationError ??= problem
  return true
}

/**
 * Selects from a `content` map by the media type of the body. An unlisted type gets 415; a missing body gets 400 unless
 * it is optional.
 */
export function chooseByType(entry: ContentValidators, request: RequestState): PartValidator | null {
  const plan = request[kPlan]
  const mediaType = mediaTypeOf(request)
  const { essence } = mediaType
  if (request.body === undefined && (entry.allowsMissing || demandsNone(plan))) return null
  if (request.body === undefined && essence === '') {
    throw createError('ROUTE_MISSING_CONTENT', { types: [...entry.byMediaType.keys()].join(', ') })
  }
  const validator = entry.byMediaType.get(essence) ?? entry.byMediaType.get('*/*')
  if (validator === undefined) throw unsupportedType(mediaType, plan, acceptedTypes(plan, request.method))
  return validator
}

/** `application/json` and the types that end in `+json` (RFC 6839 section 3.1). */
export const JSON_TYPE: RegExp = /[/+]json$/

/** The error of a part; `null` if it is valid. */
export type Verdict = Error | null | PromiseLike<Error | null>

/** Returns the validator for the type of the body; JSON already has types. */
export function ofType(validator: PartValidator, request: RequestState): PartValidator {
  const { uncoerced } = validator
  return (JSON_TYPE.test(mediaTypeOf(request).essence) ? uncoerced : null) ?? validator
}

/** Returns a part of a request for its validator. */
export function partOf(request: RequestState, part: RequestPart): unknown {
  return part === 'body' ? request.body : part === 'params' ? request.params : readFields(request, part)
}

/** Validates a part, and stores its validated form in the request. */
export function validatePart(validator: PartValidator, request: RequestState): Verdict {
  // The same as `ofType` and `partOf`, inlined.
  if (validator.uncoerced !== null && JSON_TYPE.test(mediaTypeOf(request).essence)) {
    return validatePart(validator.uncoerced, request)
  }
  const { part } = validator
  let data = part === 'body' ? request.body : part === 'params' ? request.params : readFields(request, part)
  if (part === 'body') {
    if (data === undefined) {
      if (demandsNone(request[kPlan])) return null
      // As in Fastify: libraries such as Joi accept `undefined` in place of an object.
      if (validator.custom) data = null
    }
    // Coercion may replace scalars and arrays as a whole; objects are changed in place.
    const isReplaced = typeof data !== 'object' || data === null || Array.isArray(data)
    if (isReplaced && validator.replaces) return validateRoot(validator, request, data)
  }
  const result = validator.validate(data)
  if (result === true) {
    if (part === 'headers' || part === 'cookies') writePart(request, part, data)
    return null
  }
  return applyResult(validator, request, result)
}

/** Validates a value that may be replaced as a whole by coercion; the handler gets the validated value. */
function validateRoot(validator: PartValidator, request: RequestState, data: unknown): Verdict {
  const holder = { value: data }
  const result = validator.validate(data, holder)
  if (result === true) return writePart(request, validator.part, holder.value)
  return applyResult(validator, request, result)
}

function applyResult(validator: PartValidator, request: RequestState, result: unknown): Verdict {
  const { part } = validator
  if (isThenable(result)) {
    // `then` of a thenable may return something else than a promise.
    return Promise.resolve(result).then(
      // A schema of Ajv with `$async` resolves to the validated data itself.
      (settled) =>
        validator.custom ? readSettled(validator, request, settled) : writePart(request, part, settled),
      (reason: unknown) => readRejection(part, reason, request),
    )
  }
  return readResult(validator, request, result)
}

/** Validation may coerce and remove, but must not change the raw headers. */
function readFields(request: RequestState, part: RequestPart): unknown {
  if (part === 'cookies') return request[kPlan].validators?.readCookies?.(request)
  return part === 'querystring' ? request.query : { ...request.headers }
}

function demandsNone({ bodyRule }: RoutePlan): boolean {
  return bodyRule === 'optional' || bodyRule === 'sent'
}

/*
 * The results of validators. Ajv returns a boolean, or for a `$async` schema a promise of the data. An application's
 * own validator returns a boolean, `{ value }`, `{ error }`, or a promise of one of these. The compiler of the function
 * decides which of the two it is, never the data.
 */

/** The members in which errors of Ajv and Yup, of Joi, and of Zod list violations. */
const LISTS = ['errors', 'details', 'issues']

/**
 * Returns whether a rejection says that the data is invalid: it has the list of a validation library, or is an Error with
 * status 400. Any other is a failure: an unreachable database is not the client's mistake.
 */
export function isViolation(reason: unknown): boolean {
  if (reason instanceof AggregateError) return false
  if (!(reason instanceof Error)) return isRecord(reason) && Array.isArray(reason['errors'])
  return listOf(reason) !== undefined || Reflect.get(reason, 'statusCode') === 400
}

const listOf = (reason: Error): unknown =>
  LISTS.map((name): unknown => Reflect.get(reason, name)).find(Array.isArray)

/** Returns the validation error of a rejection; throws one that is a failure. */
function readRejection(part: RequestPart, reason: unknown, request: RequestState): Error {
  if (!isViolation(reason)) throw reason
  if (!(reason instanceof Error)) return createValidationError(request, recordOf(reason)['errors'], part)
  const isOfAjv = Reflect.get(reason, 'ajv') === true
  return createValidationError(request, isOfAjv ? listOf(reason) : reason, part, isOfAjv)
}

/**
 * The result of an asynchronous custom validator. Any value except `{ value }` and `{ error }` accepts the part
 * unchanged, as `validateAsync` of a library does.
 */
function readSettled(validator: PartValidator, request: RequestState, settled: unknown): Error | null {
  const hasVerdict = settled === false || (isRecord(settled) && ('value' in settled || 'error' in settled))
  return hasVerdict ? readResult(validator, request, settled) : null
}

function readResult(validator: PartValidator, request: RequestState, result: unknown): Error | null {
  const { part, validate, custom, allowsMissing } = validator
  const { [kPlan]: plan } = request
  if (result === false) {
    if (request.body === undefined && allowsMissing) return null
    return createValidationError(request, validate.errors ?? [], part, !custom)
  }
  if (result === undefined || result === null) {
    // Returns the error of a validator that has returned nothing, from its `errors`.
    const found = validate.errors
    if (Array.isArray(found) && found.length > 0) return createValidationError(request, found, part)
    throw unreadable(plan, part, 'nothing')
  }
  if (!isRecord(result)) throw unreadable(plan, part, typeName(result))
  if (result instanceof LibraryOutput) {
    const { value } = result
    // Only an object can be merged into the headers.
    if (part === 'headers' && !isRecord(value)) throw unreadable(plan, part, `${typeName(value)} as headers`)
    return replacePart(request, part, value)
  }
  const { error } = result
  if (error !== undefined && error !== null && error !== false)
    return createValidationError(request, error, part)
  if (Object.hasOwn(result, 'value') && result['value'] !== undefined)
    replacePart(request, part, result['value'])
  else if (!('error' in result) && !('value' in result))
    throw unreadable(plan, part, 'an object without value and error')
  return null
}

function unreadable({ label }: RoutePlan, part: RequestPart, what: string): Error {
  return createError('VALIDATOR_RESULT', { part, route: label, what })
}

/** Replaces a request part by its validated form. A query that was set to `undefined` is not parsed again. */
function writePart(request: RequestState, part: RequestPart, value: unknown): null {
  if (part === 'headers') Reflect.set(request[kState], 'headers', value)
  else if (part !== 'querystring') Reflect.set(request, part, value)
  else if (value !== undefined) request.query = value
  else Object.defineProperty(request, 'query', { value, writable: true })
  return null
}

/**
 * Headers of a custom validator are merged over the original ones, because libraries drop headers that no schema
 * declares.
 */
function replacePart(request: RequestState, part: RequestPart, value: unknown): null {
  if (part !== 'headers') return writePart(request, part, value)
  Reflect.set(request, 'headers', value)
  return null
}
