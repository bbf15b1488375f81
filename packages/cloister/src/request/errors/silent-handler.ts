import { startIdleAlarm } from '../../alarms.ts'
import { kExchange, kPlan, kEpoch } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { writeWarning } from '../write-line.ts'

/** Time that an error handler without a result may take to send a reply before a warning is logged. */
const SILENCE_MS = 10_000

/** Whether no reply was sent in this epoch, on the raw response neither. */
export function isUnsent(reply: ReplyState, epoch: number): boolean {
  const exchange = reply[kExchange]
  return reply[kEpoch] === epoch && !exchange.headersSent && !exchange.ended
}

/**
 * Watches an error handler that has not sent a reply yet: it may do so later, from a callback. One that does not is
 * named in the log; `handlerTimeout` ends its request.
 */
export function watchSilence(reply: ReplyState, isOpen: () => boolean): void {
  const warn = (): void => {
    if (!isOpen()) return
    const { label } = reply[kPlan]
    writeWarning(
      reply,
      `the error handler of ${label} has not answered for ${SILENCE_MS} ms; it must return an answer or call ` +
        'reply.send, and handlerTimeout ends requests that are never answered',
    )
  }
  const timer = startIdleAlarm(warn, SILENCE_MS)
  reply[kExchange].onFinished(() => clearTimeout(timer))
}
