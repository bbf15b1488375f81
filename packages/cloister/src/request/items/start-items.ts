import { parseMediaType } from '../../body/media-type.ts'
import { atOnce, createError } from '../../errors.ts'
import type { WebStream } from '../../exchange/streams.ts'
import { look } from '../../foreign.ts'
import { isFunction } from '../../guards.ts'
import { startAlarm, type Alarm } from '../../platform.ts'
import { kExchange, kPlan, kReplyHeaders, kSerializer, kState } from '../../symbols.ts'
import { requestSignal } from '../watch.ts'
import { isGenerator } from '../payload-kind.ts'
import { preferredTypes } from '../preferred-types.ts'
import { judgePayload } from '../report/judge-stages.ts'
import { serializersFor } from '../stages/serialize-payload.ts'
import { OPEN, type ReplyState } from '../state.ts'
import { writeLine } from '../write-line.ts'
import { ITEM_FORMATS, type WriteItem } from './item-formats.ts'
import { endGenerator, headWait, ItemStream } from './item-stream.ts'

/** Whether a payload is an asynchronous iterable of items. */
export function isAsyncIterable(payload: object): payload is AsyncIterable<unknown> {
  return isFunction(look(payload, Symbol.asyncIterator))
}

/**
 * Sends the result of a handler. A generator first runs up to its first item, so that the code before the first `yield`
 * can do what any handler can: set the status and headers, send another response, or throw.
 */
export function sendItems(result: unknown, reply: ReplyState): Promise<void> | undefined {
  const state = reply[kState]
  if (state.phase === OPEN && isGenerator(result)) return runToFirstItem(result, reply)
  reply.send(result)
  return undefined
}

function runToFirstItem(generator: AsyncGenerator<unknown>, reply: ReplyState): Promise<void> {
  const state = reply[kState]
  const { epoch } = state
  const { app, settings } = reply[kPlan]
  const isOurs = (): boolean => state.epoch === epoch && state.phase === OPEN
  const first = new Promise((resolve) => resolve(generator.next()))
  state.items = { first, failure: null }

  let alarm: Alarm
  let isWaiting = true
  const stopWaiting = (): void => {
    isWaiting = false
    clearTimeout(alarm)
    app.eventStreams.delete(opening)
  }
  const sendHead = (): void => {
    if (!isWaiting || !isOurs()) return
    stopWaiting()
    reply.send(generator)
  }
  const opening = {
    close() {
      requestSignal(reply.request).abort()
      sendHead()
    },
  }
  if (chooseFormat(reply, reply[kReplyHeaders]['content-type']).format?.heartbeat != null) {
    alarm = startAlarm(sendHead, headWait(settings.heartbeatMs))
    app.eventStreams.add(opening)
  }

  return first.then(
    (result) => {
      if (!isWaiting) return
      stopWaiting()
      const isDone = look(result, 'done') === true
      const returned = isDone ? look(result, 'value') : undefined
      if (isOurs()) reply.send(returned === undefined || returned === reply ? generator : returned)
      else if (!isDone) endGenerator(reply, generator)
    },
    (error: unknown) => {
      if (!isWaiting) return
      stopWaiting()
      if (isOurs()) reply[kPlan].fail(reply, error)
      else writeLine(reply, 'error', error, 'the handler failed after the response was sent')
    },
  )
}

/**
 * Returns the content of a response from its items if the route declares a media type for them; otherwise `null`,
 * because the payload is an ordinary value.
 *
 * @param contentType - set by the handler
 * @throws `CLO_ERR_REP_ITEMS_UNDECLARED` for generators, which are no values
 */
export function startItems(
  reply: ReplyState,
  payload: AsyncIterable<unknown>,
  contentType: unknown,
): WebStream | null {
  const { label, hooks } = reply[kPlan]
  const { mediaType, format, serialize } = chooseFormat(reply, contentType)
  if (format === undefined || serialize === undefined) {
    if (!isGenerator(payload)) return null
    endGenerator(reply, payload)
    throw createError('REP_ITEMS_UNDECLARED', { route: label, status: reply.statusCode })
  }
  const headers = reply[kReplyHeaders]
  headers['content-type'] ??= mediaType
  for (const [name, value] of format.headers) headers[name] ??= value
  const own = ownSerializer(reply)
  const serializeItem = own ?? serialize
  const write = (item: unknown): string => String(atOnce(serializeItem(item), 'a serializer'))
  const isJudged = reply[kPlan].judged !== null && own === null
  const items = new ItemStream(payload, isJudged ? judging(write, reply, mediaType) : write, format, reply)
  return hooks.onSend.length === 0 ? items : toWebStream(items)
}

function judging(write: WriteItem, reply: ReplyState, mediaType: string): WriteItem {
  return (item) => {
    const text = write(item)
    judgePayload(reply, item, mediaType)
    return text
  }
}

/** The serializer of the application for this reply, which comes before that of its schema. */
function ownSerializer(reply: ReplyState): ((item: unknown) => unknown) | null {
  const { replySerializer } = reply[kPlan]
  if (reply[kSerializer] !== null || replySerializer === null) return reply[kSerializer]
  return (item) => replySerializer(item, reply.statusCode)
}

/** Returns the format of the items of a reply, by its current status and headers. */
function chooseFormat(reply: ReplyState, contentType: unknown) {
  const { serializers } = reply[kPlan]
  const byMediaType = serializers === null ? null : serializersFor(serializers, reply.statusCode)?.byMediaType
  const mediaType = chooseType(reply, [...(byMediaType?.keys() ?? [])], contentType)
  return { mediaType, format: ITEM_FORMATS.get(mediaType), serialize: byMediaType?.get(mediaType) }
}

/**
 * Returns the type that the handler has set, or the declared type that the client prefers (RFC 9110 section 12.5.1), or
 * the first.
 */
function chooseType({ [kExchange]: exchange }: ReplyState, types: string[], contentType: unknown): string {
  if (contentType !== undefined) return parseMediaType(String(contentType)).essence
  const declared = types.filter((type) => ITEM_FORMATS.has(type))
  const accept = declared.length < 2 ? undefined : exchange.header('accept')
  const preferred = accept === undefined ? [] : preferredTypes(accept, declared)
  return preferred[0] ?? declared[0] ?? ''
}

/** Wraps the content in a web stream that libraries recognize, for hooks. */
function toWebStream(items: ItemStream): WebStream {
  const reader = items.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value } = await reader.read()
        if (value === undefined) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => items.cancel(),
    },
    { highWaterMark: 0 },
  )
}
