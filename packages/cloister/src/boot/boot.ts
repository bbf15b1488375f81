import type { Seal } from '../context/services.ts'
import { prefixCode } from '../error-prefix.ts'
import { wrapThrown } from '../read-error.ts'
import { compilePlans } from '../routes/plan/compile-plans.ts'
import { compileWhenIdle } from './compile-when-idle.ts'
import type { ManagedApp } from './managed-app.ts'
import { nextTurn } from '../platform.ts'
import { runApplicationHook } from '../hooks/run-application-hook.ts'

/**
 * Boots an app, from the first plugin to the first request.
 *
 * After `seal` nothing can be registered, and the plans of all routes are frozen.
 */
export async function boot(app: ManagedApp, seal: Seal): Promise<void> {
  // Wait one turn so that plugins and routes registered in the same tick as `ready()` are included.
  await nextTurn()
  const { pluginTimeout } = app.options
  try {
    await app.queue.loadAll()
    // The app has closed before it was asked, or before its plugins were loaded.
    if (app.phase !== 'loading') return
    app.overrides.assertUsed()
    app.useSpecialPlans(compilePlans(app, app.notFoundHandlers))
    app.acceptUpgrades()
  } catch (error) {
    const failure = wrapThrown(prefixCode(error, app.options))
    for (const { fn } of app.readyCallbacks.splice(0)) fn(failure)
    throw error
  }
  app.seal = seal
  app.phase = 'starting'
  for (const hook of app.readyCallbacks) await runApplicationHook(hook, pluginTimeout)
  for (const hook of app.applicationHooks.onReady) await runApplicationHook(hook, pluginTimeout)
  app.phase = 'ready'
  compileWhenIdle(app)
}
