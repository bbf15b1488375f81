import { JSON_CONTENT } from '../body/media-type.ts'
import { toBytes } from '../bytes.ts'
import { isError } from '../read-error.ts'
import { kExchange, kPlan, kReplyHeaders, kSerializer, kState } from '../symbols.ts'
import { isAsyncIterable, startItems } from './items/start-items.ts'
import { isBlob, isGenerator, isNodeStream, isResponse, isSearchParams, isWebStream } from './payload-kind.ts'
import { FAILING, SENDING, type ReplyState } from './state.ts'
import { runStages } from './run-stages.ts'
import { atOnce } from '../errors.ts'

const TEXT_TYPE = 'text/plain; charset=utf-8'
const BYTES_TYPE = 'application/octet-stream'
const FORM_TYPE = 'application/x-www-form-urlencoded;charset=UTF-8'

/**
 * Starts the reply path: errors go to the error handlers; values are serialized; text, bytes and streams are sent
 * as they are. A missing content type is set here, once.
 */
export function startReply(reply: ReplyState, payload: unknown): void {
  const state = reply[kState]
  state.epoch++
  state.phase = SENDING
  try {
    // The payload of most handlers, a plain object or array, needs no further checks.
    if (
      typeof payload === 'object' &&
      payload !== null &&
      (payload.constructor === Object || Array.isArray(payload)) &&
      !('pipe' in payload) &&
      !('getReader' in payload) &&
      !(reply[kPlan].hasItems && isAsyncIterable(payload)) &&
      reply[kReplyHeaders]['content-type'] === undefined &&
      reply[kSerializer] === null &&
      reply[kExchange].node?.isTaken !== true
    ) {
      reply[kReplyHeaders]['content-type'] = JSON_CONTENT
      state.payload = payload
      runStages(reply[kPlan].valueStages, reply)
    } else sendOther(reply, payload)
  } catch (error) {
    // A new epoch has begun, so the caller would treat the error as late.
    reply[kPlan].fail(reply, error)
  }
}

/** Sends an error, a text, bytes, a stream or a value that needs further checks. */
function sendOther(reply: ReplyState, payload: unknown): void {
  const plan = reply[kPlan]
  if (typeof payload === 'object' && payload !== null && isError(payload)) {
    reply[kState].phase = FAILING
    plan.fail(reply, payload)
    return
  }
  const ready = prepare(reply, payload)
  runStages(ready ? plan.readyStages : plan.valueStages, reply)
}

/** Stores the payload and its content type; returns whether it can be written without a serializer. */
function prepare(reply: ReplyState, payload: unknown): boolean {
  reply[kState].payload = payload
  if (payload === undefined) return true
  const headers = reply[kReplyHeaders]
  const contentType = headers['content-type'] ?? reply.getHeader('content-type')
  if (typeof payload === 'string') return prepareText(reply, payload, contentType)
  if (typeof payload === 'object' && payload !== null && prepareBinary(reply, payload, contentType))
    return true
  // A serializer of the application sets its own content type.
  if (reply[kSerializer] !== null) return false
  if (contentType === undefined) headers['content-type'] = JSON_CONTENT
  else {
    const text = String(contentType)
    if (!isJsonType(text)) return true
    headers['content-type'] = withCharset(text)
  }
  return false
}

function prepareText(reply: ReplyState, payload: string, contentType: unknown): boolean {
  const headers = reply[kReplyHeaders]
  const serializer = reply[kSerializer]
  if (contentType === undefined) headers['content-type'] = TEXT_TYPE
  else if (serializer !== null) reply[kState].payload = atOnce(serializer(payload), 'a serializer')
  else if (isJsonType(String(contentType))) headers['content-type'] = withCharset(String(contentType))
  return true
}

function prepareBinary(reply: ReplyState, payload: object, contentType: unknown): boolean {
  if (isNodeStream(payload) || isWebStream(payload) || isResponse(payload)) return true
  const bytes = toBytes(payload)
  if (bytes === null) {
    const isItems = isAsyncIterable(payload) && (isGenerator(payload) || !hasOwnSerializer(reply))
    if (!isItems) return prepareWebBody(reply, payload, contentType)
    const items = startItems(reply, payload, contentType)
    if (items !== null) reply[kState].payload = items
    return items !== null
  }
  if (contentType === undefined) reply[kReplyHeaders]['content-type'] = BYTES_TYPE
  reply[kState].payload = bytes
  return true
}

/**
 * Sends `Blob` and `URLSearchParams` as `fetch` would, unless the application has its own serializer.
 * `URLSearchParams` with a JSON content type goes to the serializer, which throws.
 */
function prepareWebBody(reply: ReplyState, payload: object, contentType: unknown): boolean {
  // Most objects of an application's classes are recognized here.
  if (!(Symbol.toStringTag in payload) || hasOwnSerializer(reply)) return false
  const headers = reply[kReplyHeaders]
  if (isBlob(payload)) {
    if (contentType === undefined) headers['content-type'] = payload.type || BYTES_TYPE
    headers['content-length'] = String(payload.size)
    reply[kState].payload = payload.stream()
    return true
  }
  if (!isSearchParams(payload)) return false
  if (contentType === undefined) headers['content-type'] = FORM_TYPE
  else if (isJsonType(String(contentType))) return false
  reply[kState].payload = String(payload)
  return true
}

/** Whether the application has its own serializer for this reply. */
function hasOwnSerializer(reply: ReplyState): boolean {
  const { replySerializer, serializerCompiler, serializers } = reply[kPlan]
  if (reply[kSerializer] !== null || replySerializer !== null) return true
  return serializerCompiler !== null && serializers !== null
}

/** Media types are compared without regard to letter case (RFC 9110 section 8.3.1). */
const isJsonType = (contentType: string): boolean => /json/i.test(contentType)

/** JSON is UTF-8 (RFC 8259 section 8.1), and the header states it. */
function withCharset(contentType: string): string {
  if (/charset/i.test(contentType)) return contentType
  const type = contentType.trim()
  return type.endsWith(';') ? `${type} charset=utf-8` : `${type}; charset=utf-8`
}
