import type { ByteStream } from '../../exchange/byte-stream.ts'
import { callHooks } from '../hook-run.ts'
import type { HookStyle } from '../hook-run.ts'
import { kBodyStream, kExchange, kPayload } from '../../symbols.ts'
import type { Stage } from '../route-plan.ts'
import { handlerChannels } from '../../tracing.ts'
import { tracePreHandler } from './trace-handler.ts'

const PLAIN: HookStyle = { takesValue: false, store: () => {} }

const PAYLOAD: HookStyle = {
  takesValue: true,
  store(_request, reply, payload) {
    reply[kPayload] = payload
  },
}

/** The body is read from the stream that the last hook hands on. */
const BODY: HookStyle = {
  takesValue: true,
  store(request, _reply, stream) {
    request[kBodyStream] = isReadable(stream) ? stream : request[kExchange].bodyStream
  },
}

function isReadable(value: unknown): value is ByteStream {
  return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function'
}

export const runOnRequest: Stage = (plan, _request, reply) =>
  callHooks(PLAIN, plan.hooks.onRequest, reply, undefined)

export const runPreParsing: Stage = (plan, request, reply) =>
  callHooks(BODY, plan.hooks.preParsing, reply, request[kExchange].bodyStream)

export const runPreValidation: Stage = (plan, _request, reply) =>
  callHooks(PLAIN, plan.hooks.preValidation, reply, undefined)

export const runPreHandler: Stage = (plan, request, reply) =>
  handlerChannels.hasSubscribers && !plan.isNotFound
    ? tracePreHandler(plan, request, reply, () => callHooks(PLAIN, plan.hooks.preHandler, reply, undefined))
    : callHooks(PLAIN, plan.hooks.preHandler, reply, undefined)

export const runPreSerialization: Stage = (plan, _request, reply) =>
  callHooks(PAYLOAD, plan.hooks.preSerialization, reply, reply[kPayload])

export const runOnSend: Stage = (plan, _request, reply) =>
  callHooks(PAYLOAD, plan.hooks.onSend, reply, reply[kPayload])
