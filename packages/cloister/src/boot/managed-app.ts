import type { AppState } from '../app-state.ts'
import type { ApplicationHookName } from '../context/hook-names.ts'
import type { NotFoundHandler } from '../context/not-found-handler.ts'
import type { SpecialPlans } from '../routes/plan/compile-plans.ts'
import type { PluginQueue } from './plugins/plugin-queue.ts'
import type { ReadyCallbacks } from './ready-callbacks.ts'
import type { BoundHook } from './run-application-hooks.ts'

/** What boot, close and listen may do with an app, beyond what everybody may read. */
export interface ManagedApp extends AppState {
  readonly queue: PluginQueue
  /** hooks of the application's life, over all contexts, in the order they were added */
  readonly applicationHooks: Readonly<
    Record<Exclude<ApplicationHookName, 'onRoute' | 'onRegister'>, BoundHook[]>
  >
  readonly readyCallbacks: ReadyCallbacks
  readonly notFoundHandlers: readonly NotFoundHandler[]
  /** takes over the plans that are not of routes */
  useSpecialPlans(plans: SpecialPlans): void
  /**
   * stops accepting connections and waits for the requests in flight, for so many milliseconds; with 0 as long as
   * they take
   */
  stopListening(graceMs: number): Promise<void>
}
