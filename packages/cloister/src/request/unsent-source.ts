import { release, type ByteStream, type WebStream } from '../exchange/streams.ts'
import { attempt, look } from '../foreign.ts'
import { hush, isFunction } from '../guards.ts'
import { nextTurn } from '../platform.ts'
import { kExchange, kState } from '../symbols.ts'
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
  const source = sourceOf(payload)
  if (source === null) return
  reportFailure(reply, source)
  reply[kExchange].onFinished(() => {
    if (isUnread(source)) close(reply, source)
  })
}

/** Closes a payload that is not sent. */
export function dropPayload(reply: ReplyState, payload: unknown): void {
  const source = sourceOf(payload)
  if (source === null) return
  const isWatched = isNodeStream(source) && attempt(() => hasListeners(source), false)
  reportFailure(reply, source)
  if (!isWatched) return close(reply, source)
  // A pipeline reports the end of its last stream instead of the failure of its first one, which may come in this turn.
  const closed = nextTurn().then(() => close(reply, source))
  reply[kState].held?.keepFor(closed)
}

function sourceOf(payload: unknown): ByteStream | WebStream | null {
  const source = isResponse(payload) ? attempt(() => payload.body, null) : payload
  return isNodeStream(source) || isWebStream(source) ? source : null
}

/** Closes a source, and keeps the values of guards until it has ended. */
function close(reply: ReplyState, source: ByteStream | WebStream): void {
  // A web stream that is read elsewhere can't be cancelled.
  if (isWebStream(source) && look(source, 'locked') === true) return
  const failed = (error: unknown): void => {
    if (!isOfEnd(error)) writeLine(reply, 'error', error, FAILED)
  }
  const ended = attempt(() => release(source, failed), null)
  if (ended !== null) reply[kState].held?.keepFor(ended)
}

/** A hook that wraps a stream may begin to read it later, but not after the exchange. */
function isUnread(source: ByteStream | WebStream): boolean {
  if (isWebStream(source)) return !source.locked
  return look(source, 'readableFlowing') === null && look(source, 'destroyed') !== true
}

const FAILED = 'a stream that is not sent failed'

/** Whether an error says that its stream was closed: no mistake of the stream. */
function isOfEnd(error: unknown): boolean {
  return look(error, 'name') === 'AbortError' || look(error, 'code') === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** Whether others listen to the failure of a stream, such as a pipeline that a hook has made. */
function hasListeners(source: ByteStream, own?: unknown): boolean {
  return (source.listeners?.('error') ?? []).some((one) => one !== hush && one !== own)
}

/** Reports the failure of a Node stream, unless others do. */
function reportFailure(reply: ReplyState, source: ByteStream | WebStream): void {
  if (!isNodeStream(source)) return
  const failed = (error: unknown): void => {
    if (isOfEnd(error) || hasListeners(source, failed)) return
    const { payload } = reply[kState]
    const end = look(payload, 'destroy')
    // `pipe` does not pass on errors: the response would wait for its end.
    if (
      payload !== source &&
      look(source, 'readableFlowing') === true &&
      isNodeStream(payload) &&
      isFunction(end)
    )
      attempt(() => void end.call(payload, error), undefined)
    else writeLine(reply, 'error', error, FAILED)
  }
  const earlier = look(source, 'errored') ?? null
  if (earlier === null) attempt(() => void source.on('error', failed), undefined)
  else {
    // Its event may still come.
    watchSource(source)
    failed(earlier)
  }
}
