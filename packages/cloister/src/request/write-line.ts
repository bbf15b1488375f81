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
