import { SerializeError, type SerializeFunction } from '@cloister/schema'
import { isNestingError, jsonText } from '@cloister/schema/internal'

import { parseMediaType } from '../../body/media-type.ts'
import { atOnce, createError, helpFor } from '../../errors.ts'
import { isError, messageOf } from '../../read-error.ts'
import { kExchange, kPlan, kReplyHeaders, kSerializer, kState } from '../../symbols.ts'
import { isResponse, tagOf } from '../payload-kind.ts'
import type { ReplyState, RequestState } from '../state.ts'
import { writeWarning } from '../write-line.ts'
import type { PlanSerializers, RoutePlan, StatusSerializers } from '../route-plan.ts'

/** Stage: serializes the payload to text. */
export function serializePayload(plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  const state = reply[kState]
  const { payload } = state
  try {
    state.payload = serializeValue(reply, payload)
  } catch (cause) {
    throw describeFailure(cause, plan, reply, payload)
  }
}

const TOO_DEEP = 'it is nested too deeply for the call stack; send less at once, or send text or a stream'

/** Adds the route and status to the message of a serializer's error. */
function describeFailure(cause: unknown, plan: RoutePlan, reply: ReplyState, payload: unknown): Error {
  const isTooDeep = isNestingError(cause, payload)
  if (isError(cause) && !isTooDeep && Object.isExtensible(cause)) {
    const serialization = plan.routeOptions()['config']
    // Keeps the message of the schema engine, and adds the code of our catalogue.
    const code = cause instanceof SerializeError ? { code: 'CLO_ERR_FAILED_SERIALIZATION' } : {}
    const help = helpFor('FAILED_SERIALIZATION', '', describeFailure)
    const where = `It is the payload of ${plan.label} for the status ${reply.statusCode}.`
    return Object.assign(cause, {
      serialization,
      ...code,
      ...(help === null ? {} : { help: `${where} ${help}` }),
    })
  }
  return createError(
    'FAILED_SERIALIZATION',
    { route: plan.label, status: reply.statusCode, reason: isTooDeep ? TOO_DEEP : messageOf(cause) },
    { cause },
  )
}

/** Returns the serializers of the exact status, or of its class, or of `default`. */
export function serializersFor(
  { byStatus, byClass, fallback }: PlanSerializers,
  status: number,
): StatusSerializers | null {
  return byStatus.get(status) ?? byClass[Math.trunc(status / 100)] ?? fallback
}

/** Returns the serializer for a status and media type; `null` when no schema covers them. */
export function findSchemaSerializer(
  serializers: PlanSerializers,
  status: number,
  contentType: unknown,
): SerializeFunction | null {
  // The same as `serializersFor`, inlined.
  const entry =
    serializers.byStatus.get(status) ?? serializers.byClass[Math.trunc(status / 100)] ?? serializers.fallback
  if (entry === null || entry.byMediaType === null) return entry?.serialize ?? null
  const { essence } = parseMediaType(typeof contentType === 'string' ? contentType : undefined)
  return entry.byMediaType.get(essence) ?? entry.byMediaType.get('*/*') ?? null
}

/**
 * Serializes a payload. The nearest serializer wins: the reply's own, the route's schema or the context's, then plain
 * JSON. A serializer of the application may return any text or bytes.
 */
export function serializeValue(reply: ReplyState, payload: unknown): unknown {
  const own = reply[kSerializer]
  if (own !== null) return atOnce(own(payload), 'a serializer')
  const plan = reply[kPlan]
  if (plan.replySerializer !== null) {
    return atOnce(plan.replySerializer(payload, reply.statusCode), 'a serializer')
  }
  const { node } = reply[kExchange]
  const status = node !== null && node.isTaken ? node.response.statusCode : reply[kState].status
  const bySchema =
    plan.serializers === null
      ? null
      : findSchemaSerializer(plan.serializers, status, reply[kReplyHeaders]['content-type'])
  if (bySchema !== null && plan.serializerCompiler !== null) return atOnce(bySchema(payload), 'a serializer')
  const text: string | undefined = bySchema === null ? textOfValue(payload) : bySchema(payload)
  if (text === undefined || text === '{}') assertHasJson(reply, payload, text)
  return text
}

/** Serializes a value without a schema. Most contain no value that could have its own `toJSON`. */
function textOfValue(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return JSON.stringify(payload)
  if (Array.isArray(payload) || 'toJSON' in payload) return jsonText(payload)
  for (const key in payload) {
    const part: unknown = Reflect.get(payload, key)
    if (typeof part === 'object' && part !== null) return jsonText(payload)
  }
  return JSON.stringify(payload)
}

/** Rejects functions, symbols, and objects without JSON content, which are never meant to be sent. */
function assertHasJson(reply: ReplyState, payload: unknown, text: string | undefined): void {
  const kind = typeof payload === 'object' ? 'an object whose toJSON returns nothing' : `a ${typeof payload}`
  const reason = text === undefined ? `${kind} has no JSON` : explainUnserializable(payload)
  if (reason === null) return
  const { label } = reply[kPlan]
  throw createError('FAILED_SERIALIZATION', { route: label, status: reply.statusCode, reason })
}

/**
 * Stage: checks that the schemas of the route declare the status of a response with content (option
 * `undeclaredStatuses`), and its media type if they have a content map. Otherwise no schema would filter the content.
 *
 * A guard also declares statuses, by its option `refuses`. Does not check responses to errors, because error handlers
 * serve many routes, nor those of hooks that respond before the handler, such as a 429.
 */
export function checkStatus(plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  const { serializers, undeclaredStatuses } = plan
  const { payload, checked, errorDepth } = reply[kState]
  if (serializers === null || payload === undefined || payload === null) return
  if (checked === null || errorDepth > 0) return
  const error = findUndeclared(reply, serializers, payload)
  if (error === null) return
  if (undeclaredStatuses === 'error') throw error
  if (undeclaredStatuses === 'judge') plan.app.judge?.note(reply.request, 'undeclaredStatuses', error.message)
  else writeWarning(reply, error.message)
}

function findUndeclared(reply: ReplyState, serializers: PlanSerializers, payload: unknown): Error | null {
  const { label: route } = reply[kPlan]
  const web = typeof payload === 'object' && payload !== null && isResponse(payload) ? payload : null
  if (web?.body === null) return null
  const status = web?.status ?? reply.statusCode
  const entry = serializersFor(serializers, status)
  const guard = reply[kState].checked
  if (entry === null && guard !== null && guard !== 'handler') {
    const { name, callSite, refuses } = guard
    if (Object.hasOwn(refuses, status)) return null
    return createError('GUARD_STATUS_UNDECLARED', { route, status, name, callSite })
  }
  if (entry === null) {
    const details = { declared: namesOf(serializers), class: `${Math.trunc(status / 100)}xx` }
    return createError('REP_STATUS_UNDECLARED', { route, status, ...details })
  }
  const { byMediaType } = entry
  if (byMediaType === null || byMediaType.has('*/*')) return null
  const type = web === null ? reply.getHeader('content-type') : web.headers.get('content-type')
  const { essence } = parseMediaType(typeof type === 'string' ? type : undefined)
  if (byMediaType.has(essence)) return null
  const declared = [...byMediaType.keys()].join(', ')
  return createError('REP_MEDIA_TYPE_UNDECLARED', { route, status, type: essence || 'none', declared })
}

/** Stage: marks that responses are those of the handler from now on. */
export function expectStatus(_plan: RoutePlan, _request: RequestState, reply: ReplyState): void {
  reply[kState].checked = 'handler'
}

/** The keys of a response map. */
function namesOf({ byStatus, byClass }: PlanSerializers): string {
  const classes = byClass.flatMap((entry, index) => (entry === undefined ? [] : `${index}xx`))
  return [...byStatus.keys(), ...classes].join(', ') || 'none'
}

/*
 * `JSON.stringify` writes some built-in objects as `{}`, regardless of their content. As the payload of a reply that is
 * always a mistake, and would go unnoticed.
 */

/** Built-in class -> what to send instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  Map: 'send Object.fromEntries(map), or [...map] where keys are no strings',
  Set: 'send [...set]',
  URLSearchParams: 'send it without a JSON content type, or send Object.fromEntries(params)',
  FormData: 'send new Response(formData)',
  Headers: 'send Object.fromEntries(headers)',
  Blob: 'send it without a serializer, or send its bytes',
  File: 'send it without a serializer, or send its bytes',
  Request: 'send what was read from it',
  Promise: 'await it before it is sent',
  RegExp: 'send its source',
  SharedArrayBuffer: 'send a typed array over it',
  Generator:
    'write async function* for a stream of items, send [...generator] for a list, or Readable.from(generator) for bytes',
  WeakMap: 'it cannot be listed',
  WeakSet: 'it cannot be listed',
  WeakRef: 'send what it refers to',
}

/** Each kind of iterator has its own tag: `Array Iterator`, `Map Iterator`. */
const ITERATOR = /^\w+ Iterator$/

/** Returns why a value that was written as `{}` has no JSON; `null` for objects that are just empty. */
export function explainUnserializable(payload: unknown): string | null {
  if (typeof payload !== 'object' || payload === null) return null
  // A value with its own `toJSON` was already converted.
  if ('toJSON' in payload && typeof payload.toJSON === 'function') return null
  const tag = tagOf(payload).slice('[object '.length, -1)
  const instead = ITERATOR.test(tag) ? 'send [...iterator]' : INSTEAD[tag]
  return instead === undefined ? null : `a value of type ${tag} has no JSON; ${instead}`
}
