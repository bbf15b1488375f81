import type { SerializeFunction } from '@cloister/schema'

import { copyValues } from '../../copy-values.ts'
import { createError } from '../../errors.ts'
import { isRecord, isThenable, recordOf, whenSettled } from '../../guards.ts'
import { LibraryOutput } from '../../libraries/validate.ts'
import { messageOf } from '../../read-error.ts'
import { kPlan, kReplyHeaders, kSerializer, kState } from '../../symbols.ts'
import type { StrictReason } from '../../types/report.ts'
import type { MessageValidator, RequestPart, Stage } from '../route-plan.ts'
import { armDeadline, isDone } from '../stages/deadline.ts'
import { findSchemaSerializer, serializePayload } from '../stages/serialize-payload.ts'
import { chooseByType, ofType, partOf } from '../stages/validate-request.ts'
import { HIJACKED, type ReplyState, type RequestState } from '../state.ts'

/*
 * The stages of apps with `strict: 'report'`. Requests and responses take the path without `strict`; what this path has
 * accepted is then judged by the validators and serializers that `strict` would use, on a copy.
 */

/** Stage: notes a request without a response after the time that `strict` would give it. */
export const judgeTime: Stage = (plan, _request, reply) =>
  armDeadline(reply, plan.judged?.handlerTimeout ?? 0, noteLate)

/** Notes a request that `strict` would end. A socket needs no response. */
export function noteLate(reply: ReplyState): void {
  const { request, [kPlan]: plan } = reply
  if (isDone(reply) || reply[kState].phase === HIJACKED) return
  const ms = plan.judged?.handlerTimeout ?? 0
  const { message } = createError('HANDLER_TIMEOUT', { ms, route: plan.label })
  plan.app.judge?.note(request, 'handlerTimeout', message)
}

/** Stage: copies the parts of a request before validation, which changes them. */
export const copyParts: Stage = (plan, request) => {
  const parts = new Map<RequestPart, unknown>()
  for (const { part } of plan.judged?.validators?.inOrder ?? [])
    parts.set(part, copyOf(partOf(request, part)))
  plan.app.judge?.keep(request, parts)
}

/** Stage: judges a request that is valid without `strict`. */
export const judgeRequest: Stage = (plan, request) => {
  const { judge } = plan.app
  judge?.pass(plan, request)
  const parts = judge?.take(request)
  if (request.validationError !== null && request.validationError !== undefined) return
  for (const [part, value] of parts ?? []) judgePart(request, part, value)
}

/**
 * Judges a part of a request.
 *
 * @param value - the part before validation
 */
export function judgePart(request: RequestState, part: RequestPart, value: unknown): void {
  const entry = request[kPlan].judged?.validators?.inOrder.find((one) => one.part === part)
  if (entry === undefined || value === undefined) return
  const validator = entry.byMediaType === null ? entry : chooseByType(entry, request)
  if (validator !== null) judgeValue(request, part, ofType(validator, request), value)
}

/** Judges a value that is valid without `strict`. */
export function judgeValue(
  request: RequestState,
  what: string,
  { validate }: MessageValidator,
  value: unknown,
): void {
  const note = (result: unknown, errors: unknown): void => {
    const [first]: readonly unknown[] = violationsIn(result, errors)
    if (first === undefined) return
    const { instancePath, message } = recordOf(first)
    const text = `${what}${String(instancePath ?? '')} ${String(message ?? 'is not valid')}`
    request[kPlan].app.judge?.note(request, reasonOf(first, what), text)
  }
  try {
    const result = validate(value, { value })
    if (!isThenable(result)) note(result, validate.errors)
    else
      whenSettled(
        result,
        (settled) => note(settled, null),
        (reason) => note(false, isRecord(reason) ? reason['errors'] : null),
      )
  } catch (error) {
    note(false, [{ message: messageOf(error) }])
  }
}

/** Returns whether a result of a validator accepts the value. */
export function isValid(result: unknown): boolean {
  return result !== false && violationsIn(result, null).length === 0
}

/** Returns the violations in the result of a validator. An Ajv schema with `$async` resolves to the value. */
function violationsIn(result: unknown, errors: unknown): readonly unknown[] {
  const list: unknown = result === false ? errors : isRecord(result) ? result['error'] : null
  if (result instanceof LibraryOutput || !Array.isArray(list)) return []
  return list
}

/** Only JSON bodies and messages differ by more than integers, and unions by what they remove. */
function reasonOf(violation: unknown, what: string): StrictReason {
  const { params, keyword } = recordOf(violation)
  if (keyword === 'standardSchema' || (isRecord(params) && params['exact'] === false)) return 'integers'
  return what === 'body' ? 'coerceJsonBodies' : 'unionRemoval'
}

/** Stage: serializes the payload, and judges it. */
export const serializeAndJudge: Stage = (plan, request, reply) => {
  const { payload } = reply[kState]
  serializePayload(plan, request, reply)
  if (reply[kSerializer] === null && plan.replySerializer === null)
    judgePayload(reply, payload, reply[kReplyHeaders]['content-type'])
}

/** Judges a payload that was serialized by its schema. */
export function judgePayload(reply: ReplyState, payload: unknown, contentType: unknown): void {
  const serializers = reply[kPlan].judged?.serializers ?? null
  const serialize =
    serializers === null ? null : findSchemaSerializer(serializers, reply.statusCode, contentType)
  if (serialize !== null) judgeOutput(reply.request, serialize, payload)
}

/** Judges a payload or message with the serializer that `strict` would use. */
export function judgeOutput(request: RequestState, serialize: SerializeFunction, value: unknown): void {
  try {
    serialize(value)
  } catch (error) {
    const isOfLibrary = isRecord(error) && String(error['code']).endsWith('RESPONSE_INVALID')
    request[kPlan].app.judge?.note(
      request,
      isOfLibrary ? 'validateResponses' : 'serialization',
      messageOf(error),
    )
  }
}

/** Copies what validation changes; `undefined`, which is not judged, for a value that is nested too deeply. */
export function copyOf(value: unknown): unknown {
  try {
    return copyValues(value)
  } catch {
    return undefined
  }
}
