import { look } from '../foreign.ts'
import type { Outcome } from './exchange.ts'

/** The code of an outcome when the client went away; the log shows it. */
const PREMATURE_CLOSE = 'ERR_STREAM_PREMATURE_CLOSE'

/** Returns the outcome of an exchange whose client went away before the response was complete. */
export function prematureClose(): Error & { readonly code: string } {
  return Object.assign(new Error('Premature close'), { code: PREMATURE_CLOSE })
}

/** Whether the client went away before the response was complete. */
export function isPrematureClose(outcome: Outcome): boolean {
  return look(outcome, 'code') === PREMATURE_CLOSE
}
