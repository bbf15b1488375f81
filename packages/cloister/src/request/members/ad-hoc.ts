import { createError } from '../../errors.ts'
import { isFunction, type AnyFunction } from '../../guards.ts'
import { isSchema } from '../../libraries/validate.ts'
import { kPlan } from '../../symbols.ts'
import type { PlanSerializers, RoutePlan, StatusSerializers } from '../route-plan.ts'
import type { ReplyState, RequestState } from '../state.ts'

/*
 * Validation and serialization on demand of a handler: by a part or status of its route's schema, or by a schema of
 * its own.
 */

/** Returns the serializers of a status, a class (`2xx`) or `default`; `null` where the route declares none. */
export function serializersOf(
  serializers: PlanSerializers | null,
  status: string | number,
): StatusSerializers | null {
  if (serializers === null) return null
  const key = String(status).toLowerCase()
  if (key === 'default') return serializers.fallback
  if (/^[1-5]xx$/.test(key)) return serializers.byClass[Number(key[0])] ?? null
  return serializers.byStatus.get(Number(key)) ?? null
}

const isStatus = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** A compiled serializer: by status (and media type), or by the schema it was compiled from. */
export function findSerializer(
  reply: ReplyState,
  schemaOrStatus: unknown,
  contentType?: string,
): AnyFunction | undefined {
  const plan = reply[kPlan]
  if (!isStatus(schemaOrStatus))
    return isSchema(schemaOrStatus) ? plan.app.adHoc.serializer.find(plan, schemaOrStatus) : undefined
  const entry = serializersOf(plan.serializers, schemaOrStatus)
  if (contentType === undefined) return entry?.serialize ?? undefined
  return entry?.byMediaType?.get(contentType.trim().toLowerCase())
}

/** Compiles a schema with the route's serializer compiler, once per route and schema. */
export function compileInputSerializer(
  reply: ReplyState,
  schema: object,
  httpStatus?: string,
  contentType?: string,
): AnyFunction {
  const { method, url } = reply.request
  const plan = reply[kPlan]
  return plan.app.adHoc.serializer.compile(plan, schema, { method, url, httpStatus, contentType })
}

/**
 * Serializes input by a status of the route's schema, or by a schema.
 *
 * @throws `CLO_ERR_MISSING_SERIALIZATION_FN`, `CLO_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN`
 */
export function serializeInput(
  reply: ReplyState,
  input: unknown,
  schemaOrStatus: unknown,
  statusOrType?: string | number,
  contentType?: string,
): unknown {
  const isByStatus = isStatus(schemaOrStatus)
  const [key, type] = isByStatus ? [schemaOrStatus, statusOrType] : [statusOrType, contentType]
  if (!isStatus(key)) {
    if (isSchema(schemaOrStatus))
      return compileInputSerializer(reply, schemaOrStatus, undefined, contentType)(input)
    throw createError('MISSING_SERIALIZATION_FN', { key: String(schemaOrStatus) })
  }
  const serialize = findSerializer(reply, key, type === undefined ? type : String(type))
  if (serialize !== undefined) return serialize(input)
  throw type === undefined
    ? createError('MISSING_SERIALIZATION_FN', { key })
    : createError('MISSING_CONTENTTYPE_SERIALIZATION_FN', { key, contentType: type })
}

function validatorOfPart({ validators }: RoutePlan, part: string): AnyFunction | undefined {
  const name = part === 'query' ? 'querystring' : part
  const entry = validators?.inOrder.find((validator) => validator.part === name)
  const validate: unknown = entry?.byMediaType === null ? entry.validate : undefined
  return isFunction(validate) ? validate : undefined
}

/** A compiled validator: by the name of a part, or by the schema it was compiled from. */
export function findValidator(request: RequestState, partOrSchema: unknown): AnyFunction | undefined {
  const plan = request[kPlan]
  if (typeof partOrSchema === 'string') return validatorOfPart(plan, partOrSchema)
  return isSchema(partOrSchema) ? plan.app.adHoc.validator.find(plan, partOrSchema) : undefined
}

/** Compiles a schema with the route's validator compiler, once per route and schema. */
export function compileInputValidator(request: RequestState, schema: object, httpPart?: string): AnyFunction {
  const plan = request[kPlan]
  const { method, url } = request
  return plan.app.adHoc.validator.compile(plan, schema, { method, url, httpPart })
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
