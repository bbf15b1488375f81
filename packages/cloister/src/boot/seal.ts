import type { ContextServices } from '../context/services.ts'
import { createError, type CloisterError } from '../errors.ts'

/**
 * Throws if a registration is too late.
 *
 * @param action - the attempted action, for the message: `Cannot add route GET /x`
 * @param refuse - creates another error than the usual one; `when` says when the app was sealed
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING`, with the time and place of the sealing
 */
export function assertOpen(
  { phase, seal }: Pick<ContextServices, 'phase' | 'seal'>,
  action: string,
  refuse: (when: string, action: string) => CloisterError = (when) =>
    createError('INSTANCE_ALREADY_LISTENING', { action, when }),
): void {
  if (phase === 'loading' || seal === null) return
  const isRunning = phase === 'starting' || phase === 'ready'
  const state = isRunning ? 'the app was sealed' : `the app is ${phase}; it was sealed`
  const place = `when it became ready (started at ${seal.callSite.toString()})`
  throw refuse(`${state} ${Date.now() - seal.at} ms ago, ${place}`, action)
}
