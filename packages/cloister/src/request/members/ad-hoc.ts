import { isFunction, type AnyFunction } from '../../guards.ts'
import { kPlan } from '../../symbols.ts'
import type { ReplyState, RequestState } from '../state.ts'
import { createError } from '../../errors.ts'
import { isSchema } from '../../libraries/validate.ts'
import type { PlanSerializers, StatusSerializers, RoutePlan } from '../route-plan.ts'

/** Serialization that a handler calls: by a status of its route's schema, or by another schema. */

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

function serializerFor(
  reply: ReplyState,
  status: string | number,
  contentType: string | undefined,
): AnyFunction | undefined {
  const entry = serializersOf(reply[kPlan].serializers, status)
  const fn: unknown =
    contentType === undefined ? entry?.serialize : entry?.byMediaType?.get(contentType.trim().toLowerCase())
  return isFunction(fn) ? fn : undefined
}

const isStatus = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** A compiled serializer: by status (and media type), or by the schema it was compiled from. */
export function findSerializer(
  reply: ReplyState,
  schemaOrStatus: unknown,
  contentType?: string,
): AnyFunction | undefined {
  if (isStatus(schemaOrStatus)) return serializerFor(reply, schemaOrStatus, contentType)
  const plan = reply[kPlan]
  return isSchema(schemaOrStatus) ? plan.app.adHoc.serializer(plan, schemaOrStatus) : undefined
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
  return plan.app.adHoc.compileSerializer(plan, schema, { method, url, httpStatus, contentType })
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
  if (isStatus(schemaOrStatus)) {
    const type = statusOrType === undefined ? undefined : String(statusOrType)
    return requireSerializer(reply, schemaOrStatus, type)(input)
  }
  if (statusOrType !== undefined && isStatus(statusOrType)) {
    return requireSerializer(reply, statusOrType, contentType)(input)
  }
  if (!isSchema(schemaOrStatus))
    throw createError('MISSING_SERIALIZATION_FN', { key: String(schemaOrStatus) })
  return compileInputSerializer(reply, schemaOrStatus, undefined, contentType)(input)
}

function requireSerializer(
  reply: ReplyState,
  status: string | number,
  contentType: string | undefined,
): AnyFunction {
  const serialize = serializerFor(reply, status, contentType)
  if (serialize !== undefined) return serialize
  throw contentType === undefined
    ? createError('MISSING_SERIALIZATION_FN', { key: status })
    : createError('MISSING_CONTENTTYPE_SERIALIZATION_FN', { key: status, contentType })
}

/** Validation that a handler calls: by a part of its route's schema, or by another schema. */

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
