import { prefixCode } from '../error-prefix.ts'
import { createError } from '../errors.ts'
import { look } from '../foreign.ts'
import { kExchange, kPlan, kReplyHeaders, kState } from '../symbols.ts'
import { isNodeStream } from './payload-kind.ts'
import { FAILING, HIJACKED, OPEN, type ReplyState } from './state.ts'
import { letGo } from './unsent-source.ts'
import { writeLine } from './write-line.ts'

/** Creates the error of a reply that was sent before. */
export function alreadySent(reply: ReplyState): Error {
  const { method, url } = reply.request
  return prefixCode(createError('REP_ALREADY_SENT', { method, url }), reply[kPlan].app.options)
}

/**
 * Logs that a second response is not sent, and lets its payload go. While the reply gets an error through a `send` of the
 * application, the payload is that error, or what takes its place, and goes to the error handlers.
 */
export function refuseSecond(reply: ReplyState, payload?: unknown): void {
  if (reply[kState].phase === FAILING) {
    reply[kPlan].fail(reply, payload)
    return
  }
  // A handler may return what it has sent.
  if (payload !== reply[kState].payload) letGo(reply, payload)
  const err = alreadySent(reply)
  const { items } = reply[kState]
  // The client must not mistake the items sent so far for the whole response.
  if (items !== null) items.failure = err
  writeLine(reply, 'warn', err)
}

/**
 * Opens a reply again whose stream has failed before its head was sent: a listener of its error may respond, as in
 * Fastify.
 *
 * @returns whether another response may be sent
 */
export function reopen(reply: ReplyState): boolean {
  const { [kState]: state, [kReplyHeaders]: headers } = reply
  const { payload, phase } = state
  const { hasBegun, isGone } = reply[kExchange].turn
  if (phase === HIJACKED || hasBegun || isGone) return false
  if (!isNodeStream(payload) || (look(payload, 'errored') ?? null) === null) return false
  delete headers['content-length']
  delete headers['content-encoding']
  state.phase = OPEN
  state.epoch++
  return true
}
