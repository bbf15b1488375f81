import { logSafely } from '../logging/request-log.ts'
import { wrapThrown } from '../read-error.ts'
import { kPlan } from '../symbols.ts'
import type { ReplyState } from './state.ts'

/** Writes a line of the framework to the log of a request. If the logger throws, the response is not affected. */
export function writeLine(reply: ReplyState, level: 'warn' | 'error', err: unknown, message?: string): void {
  const { app } = reply[kPlan]
  if (app.logsErrors && !app.logsRequests)
    logSafely(app, () => app.logController.streamError(wrapThrown(err), reply.request, reply))
  else logSafely(app, () => reply.log[level]({ err: err ?? wrapThrown(err) }, message))
}

/** Writes a line without details. */
export function writeWarning(reply: ReplyState, message: string): void {
  logSafely(reply[kPlan].app, () => reply.log.warn(message))
}

/**
 * Logs, once for each route and field, that headers of the application contradict the framing of a response. The
 * transport has sent the correct ones.
 *
 * @param contradiction - begins with the name of the field
 */
export function reportContradiction(reply: ReplyState, contradiction: string): void {
  const { app, label, callSite } = reply[kPlan]
  const key = `${label} ${contradiction.split(' ', 1).join()}`
  if (app.contradictions.has(key)) return
  app.contradictions.add(key)
  writeWarning(
    reply,
    `${label}: ${contradiction}. The right framing was sent; this is logged once for the route (defined at ${callSite.toString()})`,
  )
}
