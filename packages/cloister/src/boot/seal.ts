import type { ContextServices } from '../context/services.ts'
import { createError, type CloisterError } from '../errors.ts'

type Life = Pick<ContextServices, 'phase' | 'seal'>

/** Returns when the app was sealed, for error messages; `null` while it is open. */
function sealedSince({ seal, phase }: Life): string | null {
  if (phase === 'loading' || seal === null) return null
  const state =
    phase === 'starting' || phase === 'ready' ? 'the app was sealed' : `the app is ${phase}; it was sealed`
  return `${state} ${Date.now() - seal.at} ms ago, when it became ready (started at ${seal.callSite.toString()})`
}

/**
 * Throws if a registration is too late.
 *
 * @param action - the attempted action, for the message: `Cannot add route GET /x`
 * @param refuse - creates another error than the usual one
 * @throws `CLO_ERR_INSTANCE_ALREADY_LISTENING`, with the time and place of the sealing
 */
export function assertOpen(
  app: Life,
  action: string,
  refuse: (when: string, action: string) => CloisterError = (when) =>
    createError('INSTANCE_ALREADY_LISTENING', { action, when }),
): void {
  const when = sealedSince(app)
  if (when !== null) throw refuse(when, action)
}
