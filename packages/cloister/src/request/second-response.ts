import { prefixCode } from '../error-prefix.ts'
import { createError } from '../errors.ts'
import { kPlan, kState } from '../symbols.ts'
import type { ReplyState } from './state.ts'
import { writeLine } from './write-line.ts'

/** Creates the error of a reply that was sent before. */
export function alreadySent(reply: ReplyState): Error {
  const { method, url } = reply.request
  return prefixCode(
    createError('REP_ALREADY_SENT', { method, url }),
    reply[kPlan].app.options.errorCodePrefix,
  )
}

/** Logs that a second response is not sent. */
export function refuseSecond(reply: ReplyState): void {
  const err = alreadySent(reply)
  const { items } = reply[kState]
  // The client must not mistake the items sent so far for the whole response.
  if (items !== null) items.failure = err
  writeLine(reply, 'warn', { err })
}
