import { kPlan } from '../../symbols.ts'
import type { ReplyState } from '../state.ts'
import { writeWarning } from '../write-line.ts'

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
