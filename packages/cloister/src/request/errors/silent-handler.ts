import { kExchange, kPhase, kPlan, kEpoch } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { writeWarning } from '../write-line.ts'
import { OPEN } from '../reply-phase.ts'

/** How long an error handler that returned nothing may take to answer before the log says so. */
const SILENCE_MS = 10_000

/** Nothing has answered in this epoch of the reply, on the raw response neither. */
export function isUnanswered(reply: ReplyState, epoch: number): boolean {
  const exchange = reply[kExchange]
  if (reply[kEpoch] !== epoch || reply[kPhase] !== OPEN) return false
  return !exchange.headersSent && !exchange.ended && !exchange.aborted
}

/**
 * An error handler that has the reply may answer later, from a callback, so that its request is not cut off. One that
 * forgets to answer is named in the log; `handlerTimeout` ends its request.
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
  const timer = setTimeout(warn, SILENCE_MS)
  timer.unref()
  reply[kExchange].onFinished(() => clearTimeout(timer))
}
