import { callWithDone, declaresDone } from '../hooks/adapt.ts'
import type { Context } from '../context/context.ts'
import type { AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { argumentsOfAfter } from './plugins/load-node.ts'
import { nextTurn } from '../platform.ts'
import type { HookEntry } from '../hooks/hook-entry.ts'
import { runApplicationHook } from '../hooks/run-application-hook.ts'

/** A `ready` callback of a plugin. `fail` calls it with the error of a failed boot. */
interface ReadyCallback extends HookEntry {
  fail(error: Error): void
}

/**
 * The `ready` callbacks of plugins. They run after all plugins have loaded and before the `onReady` hooks, in the order
 * of the calls. Callbacks of the app itself run after those hooks.
 */
export class ReadyCallbacks {
  readonly #waiting: ReadyCallback[] = []

  /** @param fn - has the parameters `()`, `(error)`, `(error, done)` or `(error, instance, done)` */
  add(fn: AnyFunction, context: Context, callSite: CallSite): void {
    const describe = (): string => `the callback of ready, given at ${callSite.toString()},`
    const call = (error: Error | null): unknown => {
      const args = argumentsOfAfter(fn, error, context)
      const { instance } = context
      return declaresDone(fn, args.length)
        ? callWithDone(fn, instance, args, describe)
        : fn.call(instance, error)
    }
    const hook = { name: 'onReady', callSite, owner: context, source: 'context' } as const
    this.#waiting.push({ ...hook, fn: () => call(null), fail: call })
  }

  promise(context: Context, callSite: CallSite): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): Promise<void> | undefined => {
        if (error === null) resolve()
        else reject(error)
        // Lets the caller that awaits the promise continue before the next callback runs.
        return error === null ? nextTurn() : undefined
      }
      this.add(settle, context, callSite)
    })
  }

  async run(timeoutMs: number): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await runApplicationHook(next, timeoutMs)
    }
  }

  /** Calls all waiting callbacks with the error that ended the boot. */
  fail(error: Error): void {
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }
}
