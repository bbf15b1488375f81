import { createError } from '../errors.ts'
import { endOf } from '../exchange/ends.ts'
import type { ByteStream } from '../exchange/streams.ts'
import { attempt, look } from '../foreign.ts'
import { isFunction } from '../guards.ts'
import { kExchange, kState } from '../symbols.ts'
import { watchSource } from './payload-kind.ts'
import type { StoreValue } from './run-stages.ts'

/** Hooks may replace the body: it is read from the stream that the last of them returns. */
export const storeBody: StoreValue = (request, _reply, stream) => {
  const exchange = request[kExchange]
  const body = exchange.bodyStream
  const source = isReadable(stream) ? stream : body
  if (source === request[kState].bodyStream) return
  request[kState].bodyStream = source
  if (source === body) return
  watchSource(source)
  exchange.onFinished((outcome) => {
    if (endOf(outcome).aborts && body.destroyed === true && body.readableEnded !== true) breakOff(source)
  })
}

function isReadable(value: unknown): value is ByteStream {
  return typeof value === 'object' && value !== null && 'on' in value && isFunction(value.on)
}

/**
 * Ends a stream whose body does not come whole, because the client has left. `pipe` does not do it, and the reader of
 * the stream would wait for ever.
 */
function breakOff(stream: ByteStream): void {
  const end = look(stream, 'destroy')
  if (isFunction(end)) attempt(() => void end.call(stream, createError('CTP_BODY_ABORTED', {})), undefined)
}
