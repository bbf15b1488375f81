import type { ByteStream, WebStream } from '../exchange/streams.ts'
import { attempt, look } from '../foreign.ts'
import { hush, isFunction } from '../guards.ts'
import { kExchange, kState } from '../symbols.ts'
import { dropPayload } from './held-values.ts'
import { isNodeStream, isResponse, isWebStream, watchSource } from './payload-kind.ts'
import type { StoreValue } from './run-stages.ts'
import type { ReplyState } from './state.ts'
import { writeLine } from './write-line.ts'

/** Hooks may replace the content. */
export const storeContent: StoreValue = (_request, reply, payload) => {
  const state = reply[kState]
  const replaced = state.payload
  state.payload = payload
  if (payload === replaced) return
  watchSource(payload)
  letGo(reply, replaced)
}

/**
 * Lets a payload go that is not sent: a hook has replaced it, or another response was sent before. A stream without a
 * reader is closed with the exchange.
 */
export function letGo(reply: ReplyState, payload: unknown): void {
  const source = isResponse(payload) ? payload.body : payload
  if (!isNodeStream(source) && !isWebStream(source)) return
  if (isNodeStream(source)) attempt(() => reportFailure(reply, source), undefined)
  reply[kExchange].onFinished(() => {
    if (isUnread(source)) dropPayload(reply, source)
  })
}

/** A hook that wraps a stream may begin to read it later, but not after the exchange. */
function isUnread(source: ByteStream | WebStream): boolean {
  if (isWebStream(source)) return !source.locked
  return look(source, 'readableFlowing') === null && look(source, 'destroyed') !== true
}

/** Reports the failure of a stream, unless others listen, such as a pipeline that a hook has made. */
function reportFailure(reply: ReplyState, source: ByteStream): void {
  const failed = (error: unknown): void => {
    const listeners = source.listeners?.('error') ?? []
    if (listeners.some((one) => one !== hush && one !== failed)) return
    const { payload } = reply[kState]
    const end = look(payload, 'destroy')
    // `pipe` does not pass on errors: the response would wait for its end.
    if (look(source, 'readableFlowing') === true && isNodeStream(payload) && isFunction(end))
      attempt(() => void end.call(payload, error), undefined)
    else writeLine(reply, 'error', error, 'a stream that is not sent failed')
  }
  const earlier = look(source, 'errored')
  if (earlier === null || earlier === undefined) source.on('error', failed)
  else {
    // Its event may still come.
    watchSource(source)
    failed(earlier)
  }
}
