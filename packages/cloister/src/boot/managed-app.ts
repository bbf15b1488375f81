import type { ApplicationHookName } from '../types/hooks.ts'
import type { AppPhase, ContextServices, NotFoundHandler, Seal } from '../context/services.ts'
import type { ServedApp } from '../request/services.ts'
import type { AppWithRoutes, SpecialPlans } from '../routes/plan/compile-plans.ts'
import type { RouteTable } from '../routes/route-table.ts'
import type { PluginQueue } from './plugins/plugin-queue.ts'
import type { HookEntry } from '../hooks/hook-entry.ts'

/**
 * The whole state of an app, for boot, close and the app's methods. Other modules use one of the smaller interfaces.
 */
export interface ManagedApp extends ContextServices, ServedApp, AppWithRoutes {
  readonly routes: RouteTable
  phase: AppPhase
  servesToTheEnd: boolean
  seal: Seal | null
  readonly queue: PluginQueue
  /** application hooks of all contexts, in the order in which they were added */
  readonly applicationHooks: Readonly<
    Record<Exclude<ApplicationHookName, 'onRoute' | 'onRegister'>, HookEntry[]>
  >
  /** `ready` callbacks of plugins, in the order of the calls */
  readonly readyCallbacks: HookEntry[]
  readonly notFoundHandlers: readonly NotFoundHandler[]
  /** adds the plans that don't belong to a route */
  useSpecialPlans(plans: SpecialPlans): void
  /** gives the app requests for the protocols of its routes */
  acceptUpgrades(): void
  /** stops accepting connections and waits for requests in flight, at most this many milliseconds; 0 means no limit */
  stopListening(graceMs: number): Promise<void>
}
