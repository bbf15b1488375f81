import type { AppPhase, ContextServices, Seal } from '../context/services.ts'
import { createError } from '../errors.ts'

/** The error of a registration that is too late. */
export type LateError =
  | 'INSTANCE_ALREADY_LISTENING'
  | 'ROOT_PLG_BOOTED'
  | 'CTP_INSTANCE_ALREADY_STARTED'
  | 'DEC_AFTER_START'

/**
 * Throws if a registration is too late.
 *
 * @param action - the attempted action, for the message: `Cannot add route GET /x`
 * @param error - which says the time and place of the sealing
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING`, or the error with the given name
 */
export function assertOpen(
  { phase, seal }: Pick<ContextServices, 'phase' | 'seal'>,
  action: string,
  error: LateError = 'INSTANCE_ALREADY_LISTENING',
): void {
  if (phase === 'loading') return
  throw createError(error, { action, method: action, name: action, when: whenSealed(phase, seal) })
}

function whenSealed(phase: AppPhase, seal: Seal | null): string {
  // The app closes before it has booted.
  if (seal === null) return `the app is ${phase}`
  const isRunning = phase === 'starting' || phase === 'ready'
  const state = isRunning ? 'the app was sealed' : `the app is ${phase}; it was sealed`
  return `${state} ${Date.now() - seal.at} ms ago, when it became ready (started at ${seal.callSite.toString()})`
}
