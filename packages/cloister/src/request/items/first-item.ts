import { look } from '../../foreign.ts'
import { startAlarm, type Alarm } from '../../platform.ts'
import { kPlan, kReplyHeaders, kState } from '../../symbols.ts'
import { requestSignal } from '../members/signal.ts'
import { OPEN, type ReplyState } from '../state.ts'
import { isGenerator } from '../payload-kind.ts'
import { writeLine } from '../write-line.ts'
import { endGenerator, headWait } from './item-stream.ts'
import { chooseFormat } from './start-items.ts'

/**
 * Sends the result of a handler. A generator runs up to its first item before that, so that the code before the first
 * `yield` is that of any handler: it sets the status and headers, sends another response, or throws.
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
  const send = (payload: unknown): void => {
    stopWaiting()
    reply.send(payload)
  }
  const sendHead = (): void => {
    if (isWaiting && isOurs()) send(generator)
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
      const isDone = look(result, 'done') === true
      const returned = isDone ? look(result, 'value') : undefined
      if (isOurs()) send(returned === undefined || returned === reply ? generator : returned)
      else {
        stopWaiting()
        if (!isDone) endGenerator(generator)
      }
    },
    (error: unknown) => {
      if (!isWaiting) return
      stopWaiting()
      if (isOurs()) reply[kPlan].fail(reply, error)
      else writeLine(reply, 'error', { err: error }, 'the handler failed after the response was sent')
    },
  )
}
