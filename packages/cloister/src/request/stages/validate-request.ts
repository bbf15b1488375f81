import { nameOf } from '../../body/media-type.ts'
import { prefixCode } from '../../error-prefix.ts'
import { createError } from '../../errors.ts'
import { isThenable } from '../../functions.ts'
import { writePart } from './request-parts.ts'
import { mediaTypeOf } from '../request.ts'
import type { RequestState } from '../state.ts'
import type { ContentValidators, PartValidator, RequestPart, RoutePlan } from '../route-plan.ts'
import { accept, readRejection, readResult, readSettled } from './validation-result.ts'

/**
 * Stage: every part that has a schema is validated, and replaced by its validated form, in the order `params`,
 * `body`, `querystring`, `headers`.
 *
 * The first part that fails ends the request with 400, or with `attachValidation` is kept in
 * `request.validationError`. No handler sees a body that the schema was not applied to.
 */
export function validateRequest(
  plan: RoutePlan,
  request: RequestState,
  _reply?: unknown,
  start: number = 0,
): unknown {
  const { validators } = plan
  if (validators === null) return undefined
  for (let i = start; i < validators.inOrder.length; i++) {
    const entry = validators.inOrder[i]
    if (entry === undefined) break
    const validator = entry.byMediaType === null ? entry : chooseByType(entry, plan, request)
    if (validator === null) continue
    const problem = validatePart(plan, validator, request)
    if (problem === null) continue
    if (isThenable(problem)) {
      return problem.then((settled) => {
        if (settled !== null) attach(plan, request, settled)
        return validateRequest(plan, request, undefined, i + 1)
      })
    }
    attach(plan, request, problem)
  }
  return undefined
}

/** Keeps the first problem for the handler, where the route has `attachValidation`; else throws it. */
function attach(plan: RoutePlan, request: RequestState, problem: Error): void {
  if (!plan.attachValidation) throw problem
  prefixCode(problem, plan.app.options.errorCodePrefix)
  request.validationError ??= problem
}

/** A `content` map chooses by the media type of the body: one that is not listed is 415, no body at all 400. */
function chooseByType(
  entry: ContentValidators,
  plan: RoutePlan,
  request: RequestState,
): PartValidator | null {
  const mediaType = mediaTypeOf(request)
  const { essence } = mediaType
  if (request.body === undefined && demandsNone(plan)) return null
  if (request.body === undefined && essence === '') {
    throw createError('ROUTE_MISSING_CONTENT', { types: [...entry.byMediaType.keys()].join(', ') })
  }
  const validator = entry.byMediaType.get(essence) ?? entry.byMediaType.get('*/*')
  if (validator === undefined) throw createError('CTP_INVALID_MEDIA_TYPE', { mediaType: nameOf(mediaType) })
  return validator
}

/** `application/json` and the types that end in `+json` (RFC 6839 section 3.1). */
const JSON_TYPE = /[/+]json$/

function validatePart(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestState,
): Error | null | PromiseLike<Error | null> {
  if (validator.uncoerced !== null && JSON_TYPE.test(mediaTypeOf(request).essence)) {
    return validatePart(plan, validator.uncoerced, request)
  }
  const { part } = validator
  const data = part === 'body' ? request.body : part === 'params' ? request.params : readPart(request, part)
  if (part === 'body') {
    if (data === undefined && demandsNone(plan)) return null
    // Coercion may replace scalars and arrays as a whole; objects are changed in place.
    const isReplaced = typeof data !== 'object' || data === null || Array.isArray(data)
    if (isReplaced && validator.replaces) return validateRoot(plan, validator, request, data)
  }
  const result = validator.validate(data)
  if (result === true) {
    if (part === 'headers') writePart(request, part, data)
    return null
  }
  return applyResult(plan, validator, request, result)
}

/** A value that is not an object is coerced as a whole; the handler gets what was validated. */
function validateRoot(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestState,
  data: unknown,
): Error | null | PromiseLike<Error | null> {
  const holder = { value: data }
  const result = validator.validate(data, holder)
  if (result === true) return accept(request, validator.part, holder.value)
  return applyResult(plan, validator, request, result)
}

function applyResult(
  plan: RoutePlan,
  validator: PartValidator,
  request: RequestState,
  result: unknown,
): Error | null | PromiseLike<Error | null> {
  const { part } = validator
  if (isThenable(result)) {
    // A thenable need not give a promise back.
    return Promise.resolve(result).then(
      (settled) =>
        validator.custom ? readSettled(plan, validator, request, settled) : accept(request, part, settled),
      (reason: unknown) => readRejection(plan, part, reason, request),
    )
  }
  return readResult(plan, validator, request, result)
}

/** The query string or the headers, as a validator is given them. */
function readPart(request: RequestState, part: RequestPart): unknown {
  // Validation may coerce and remove: that must not reach the raw headers.
  return part === 'querystring' ? request.query : { ...request.headers }
}

function demandsNone({ bodyRule }: RoutePlan): boolean {
  return bodyRule === 'optional' || bodyRule === 'seldom'
}
