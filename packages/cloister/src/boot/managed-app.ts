import type { ApplicationHookName } from '../types/hooks.ts'
import type { NotFoundHandler } from '../context/not-found-handler.ts'
import type { AppPhase, ContextServices, Seal } from '../context/services.ts'
import type { AppOptions } from '../options/checked-options.generated.ts'
import type { ServedApp } from '../request/services.ts'
import type { AppWithRoutes, SpecialPlans } from '../routes/plan/compile-plans.ts'
import type { RouteTable } from '../routes/route-table.ts'
import type { PluginQueue } from './plugins/plugin-queue.ts'
import type { ReadyCallbacks } from './ready-callbacks.ts'
import type { BoundHook } from '../hooks/run-application-hooks.ts'

/** The whole state of an app, for boot, close and the facade; all other rooms see one of the interfaces in it. */
export interface ManagedApp extends ContextServices, ServedApp, AppWithRoutes {
  readonly options: AppOptions
  readonly routes: RouteTable
  phase: AppPhase
  seal: Seal | null
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
