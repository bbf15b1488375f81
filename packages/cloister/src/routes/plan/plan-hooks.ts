import type { Context } from '../../context/context.ts'
import { forRequestHooks, HOOKS, REQUEST_HOOK_NAMES } from '../../hooks/names.ts'
import type { RequestHookName } from '../../types/hooks.ts'
import { describeHook, type HookEntry } from '../../hooks/hook-entry.ts'
import { adaptRequestHook, type RequestHook } from '../../hooks/request-hook.ts'
import { isFunction } from '../../guards.ts'
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

/** Returns the hooks of a context: those of its ancestors from the root down, then its own. */
export function contextHooks(context: Context, observe: StageObserver | null): PlanHooks {
  return Object.freeze(
    forRequestHooks((name) => context.hooksInForce(name).map((entry) => adapt(entry, context, observe))),
  )
}

/** Returns the hooks of a route: those of its context, then its own. */
export function planHooks(
  route: RouteWithHooks,
  inherited: PlanHooks,
  observe: StageObserver | null,
): PlanHooks {
  const { context, options } = route
  if (REQUEST_HOOK_NAMES.every((name) => options[name] == null)) return inherited
  const added = (name: RequestHookName): RequestHook[] =>
    ownHooks(route, name).map((entry) => adapt(entry, context, observe))
  return Object.freeze(
    forRequestHooks((name) =>
      options[name] == null ? inherited[name] : [...inherited[name], ...added(name)],
    ),
  )
}

function adapt(entry: HookEntry, { instance }: Context, observe: StageObserver | null): RequestHook {
  const { name, fn } = entry
  const hook = adaptRequestHook(fn, HOOKS[name].args, instance, () => describeHook(entry))
  return observe === null ? hook : observed(hook, name, fn.name, observe)
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
