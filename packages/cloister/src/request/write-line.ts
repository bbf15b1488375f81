import { logSafely } from '../logging/request-log.ts'
import { wrapThrown } from '../read-error.ts'
import { kPlan } from '../symbols.ts'
import type { ReplyState } from './state.ts'

/** Writes a line of the framework to the log of a request; a logger that throws decides about no response. */
export function writeLine(
  reply: ReplyState,
  level: 'warn' | 'error',
  { err }: { readonly err: unknown },
  message?: string,
): void {
  logSafely(reply[kPlan].app, () => reply.log[level]({ err: err ?? wrapThrown(err) }, message))
}

/** Writes a line without details. */
export function writeWarning(reply: ReplyState, message: string): void {
  logSafely(reply[kPlan].app, () => reply.log.warn(message))
}

/**
 * Logs, once for each route and field, what the application has said about the framing of a response that is not so. The
 * transport has written what is so.
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
