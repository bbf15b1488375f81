import { createError } from '../../errors.ts'
import { isFunction } from '../../functions.ts'
import type { AnyFunction } from '../../functions.ts'
import { isSchema } from '../../libraries/validate.ts'
import { kPlan } from '../../symbols.ts'
import type { RequestState } from '../state.ts'
import type { RoutePlan } from '../route-plan.ts'

/** Validation on demand of a handler: by a part of its route's schema, or by a schema of its own. */

function validatorOfPart(plan: RoutePlan, part: string): AnyFunction | undefined {
  const name = part === 'query' ? 'querystring' : part
  const { validators } = plan
  const entry = validators?.inOrder.find((validator) => validator.part === name)
  return entry === undefined || entry.byMediaType !== null ? undefined : asFunction(entry.validate)
}

function asFunction(fn: unknown): AnyFunction | undefined {
  return isFunction(fn) ? fn : undefined
}

/** A compiled validator: by the name of a part, or by the schema it was compiled from. */
export function findValidator(request: RequestState, partOrSchema: unknown): AnyFunction | undefined {
  const plan = request[kPlan]
  if (typeof partOrSchema === 'string') return validatorOfPart(plan, partOrSchema)
  return isSchema(partOrSchema) ? plan.app.adHoc.validator(plan, partOrSchema) : undefined
}

/** Compiles a schema with the route's validator compiler, once per route and schema. */
export function compileInputValidator(request: RequestState, schema: object, httpPart?: string): AnyFunction {
  const plan = request[kPlan]
  const { method, url } = request
  return plan.app.adHoc.compileValidator(plan, schema, { method, url, httpPart })
}

/**
 * Validates input by a part's name or by a schema.
 *
 * @throws `CLO_ERR_REQ_INVALID_VALIDATION_INVOCATION` when there is neither
 */
export function validateInput(
  request: RequestState,
  input: unknown,
  schemaOrPart: unknown,
  httpPart?: string,
): unknown {
  const part = typeof schemaOrPart === 'string' ? schemaOrPart : httpPart
  const byPart = part === undefined ? undefined : validatorOfPart(request[kPlan], part)
  if (byPart !== undefined) return byPart(input)
  if (!isSchema(schemaOrPart)) {
    throw createError('REQ_INVALID_VALIDATION_INVOCATION', { part: String(part ?? schemaOrPart) })
  }
  return compileInputValidator(request, schemaOrPart, httpPart)(input)
}
