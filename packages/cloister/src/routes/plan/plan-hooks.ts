import type { Context } from '../../context/context.ts'
import { forRequestHooks, HOOKS, REQUEST_HOOK_NAMES } from '../../hooks/names.ts'
import type { RequestHookName } from '../../types/hooks.ts'
import { describeHook, type HookEntry } from '../../hooks/hook-entry.ts'
import { adaptRequestHook, type RequestHook } from '../../hooks/request-hook.ts'
import { getOrMake, isFunction } from '../../guards.ts'
import type { PlanHooks } from '../../request/route-plan.ts'
import type { StageObserver } from '../../request/stages.ts'
import { RequestImpl } from '../../request/request.ts'
import type { RouteRecord } from '../route-record.ts'

const NONE: readonly RequestHook[] = []

type RouteWithHooks = Pick<RouteRecord, 'context' | 'options' | 'callSite'>

/** Returns the hooks in the options of a route. They run after those of its context. */
export function ownHooks({ context, options, callSite }: RouteWithHooks, name: RequestHookName): HookEntry[] {
  const fns = [options[name] ?? []].flat().filter(isFunction)
  return fns.map((fn) => ({ name, fn, callSite, owner: context, source: 'route' }))
}

/** Creates the hook lists of routes. Routes without their own hooks share the lists of their context. */
export class HookPlanner {
  readonly #byContext = new Map<Context, PlanHooks>()
  readonly #observe: StageObserver | null

  /** @param observe - called before each hook; `null` if the app has no observer */
  constructor(observe: StageObserver | null) {
    this.#observe = observe
  }

  /** Returns the hooks of a route: those of its contexts from the root down, then its own. */
  plan(route: RouteWithHooks): PlanHooks {
    const { context, options } = route
    const inherited = this.#inherited(context)
    const own = REQUEST_HOOK_NAMES.filter((name) => options[name] != null)
    if (own.length === 0) return inherited
    const hooks: Record<RequestHookName, readonly RequestHook[]> = { ...inherited }
    for (const name of own) {
      const added = ownHooks(route, name).map((entry) => this.#adapt(entry, context))
      hooks[name] = [...inherited[name], ...added]
    }
    return Object.freeze(hooks)
  }

  #inherited(context: Context): PlanHooks {
    return getOrMake(this.#byContext, context, () =>
      Object.freeze(
        forRequestHooks((name) => context.hooksInForce(name).map((entry) => this.#adapt(entry, context))),
      ),
    )
  }

  #adapt(entry: HookEntry, { instance }: Context): RequestHook {
    const { name, fn } = entry
    const hook = adaptRequestHook(fn, HOOKS[name].args, instance, () => describeHook(entry))
    return this.#observe === null ? hook : observed(hook, name, fn.name, this.#observe)
  }
}

function observed(hook: RequestHook, stage: string, name: string, observe: StageObserver): RequestHook {
  const call = (...args: unknown[]): unknown => {
    if (args[0] instanceof RequestImpl) observe(stage, args[0], name)
    return hook.call(...args)
  }
  return { ...hook, call }
}

export function noHooks(): Record<RequestHookName, readonly RequestHook[]> {
  return forRequestHooks(() => NONE)
}
