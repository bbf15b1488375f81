import type { Context } from '../../context/context.ts'
import type { HookEntry } from '../../hooks/hook-entry.ts'
import type { RequestHook } from '../../hooks/request-hook.ts'
import { isFunction } from '../../guards.ts'
import { RequestImpl } from '../../request/request.ts'
import { kState } from '../../symbols.ts'
import type { HookDone, ObservedHook, ObservedRoute, StartObserver } from '../../types/observers.ts'
import type { RouteRecord } from '../route-record.ts'

/** What observes the requests of a context. */
interface ContextObserver {
  readonly observe: (route: ObservedRoute) => StartObserver | null
  readonly hooks: boolean
}

/** The observers of requests (`observeRequests`) by their context. That of the nearest context observes a route. */
export class RequestObservers {
  readonly #byContext = new Map<Context, ContextObserver>()

  add(context: Context, observer: ContextObserver): void {
    this.#byContext.set(context, observer)
  }

  /** Returns what starts to observe the requests of a route; `null` if nothing does. */
  start({ context, method, url, options }: RouteRecord, isNotFound: boolean): StartObserver | null {
    return this.#find(context)?.observe({ method, url: isNotFound ? null : url, options }) ?? null
  }

  /** Returns whether the observer of a context calls its hooks. */
  wantHooks(context: Context): boolean {
    return this.#find(context)?.hooks === true
  }

  #find(context: Context): ContextObserver | undefined {
    const { parent } = context
    return this.#byContext.get(context) ?? (parent === null ? undefined : this.#find(parent))
  }
}

/** Returns a hook that the observer of its request calls. */
export function observedHook(hook: RequestHook, entry: HookEntry): RequestHook {
  const facts = describe(entry)
  const call = (...args: unknown[]): unknown => {
    const [request] = args
    const observer = request instanceof RequestImpl ? request[kState].observer : null
    if (observer === null) return hook.call(...args)
    const last = hook.takesDone ? args.at(-1) : null
    const done: HookDone | null = isFunction(last) ? (error, value) => void last(error, value) : null
    const others = done === null ? args : args.slice(0, -1)
    return observer.hook(facts, (own) => hook.call(...others, ...(own === null ? [] : [own])), done)
  }
  return { ...hook, call }
}

/** The place is read when it is first needed, because that formats a stack. */
function describe({ name, fn, callSite, owner }: HookEntry): ObservedHook {
  return {
    name,
    function: fn.name,
    plugin: callSite.plugin?.path ?? owner.path,
    get callSite() {
      return callSite.toString()
    },
  }
}
