import type { ManagedApp } from './managed-app.ts'
import { nextTurn } from './next-turn.ts'
import { runApplicationHooks } from './run-application-hooks.ts'

/**
 * The end of an app: new requests are refused, those in flight get their answers, then the `onClose` hooks run, the
 * last one added first. A hook that fails does not keep the others from running; the first error is thrown at the
 * end.
 */
export async function close(app: ManagedApp, booting: Promise<void> | null): Promise<void> {
  // What is still to be loaded would be closed half-open; its error belongs to whoever awaits `ready`.
  await (booting ?? app.queue.loadAll()).catch(() => {})
  app.phase = 'closing'
  let failure: { readonly error: unknown } | null = null
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step()
    } catch (error) {
      failure ??= { error }
    }
  }
  const { preClose, onClose } = app.applicationHooks
  await attempt(() => runApplicationHooks('preClose', preClose, app.options.pluginTimeout))
  // An answer that was just given makes its connection look idle to Node, although pipelined requests wait behind it.
  await nextTurn()
  await attempt(() => app.stopListening())
  for (const hook of [...onClose].reverse()) {
    await attempt(() => runApplicationHooks('onClose', [hook], 0))
  }
  app.phase = 'closed'
  if (failure !== null) throwFailure(failure)
}

function throwFailure({ error }: { readonly error: unknown }): never {
  throw error
}
