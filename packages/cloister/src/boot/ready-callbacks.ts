import { callWithDone, declaresDone } from '../hooks/adapt.ts'
import type { Context } from '../context/context.ts'
import type { AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { argumentsOfAfter } from './plugins/load-node.ts'
import { nextTurn } from '../platform.ts'
import { runApplicationHooks, type BoundHook } from '../hooks/run-application-hooks.ts'

/** A callback of `ready` that a plugin added, and the function that reports a failed boot to it. */
interface ReadyCallback {
  readonly hook: BoundHook
  fail(error: Error): void
}

/**
 * The callbacks of plugins for the time after all plugins have loaded: `instance.ready(fn)` in a plugin runs before
 * the `onReady` hooks, in the order of the calls. Callbacks of the app itself follow those hooks.
 */
export class ReadyCallbacks {
  readonly #waiting: ReadyCallback[] = []

  /** @param fn - takes nothing, `(error)`, `(error, done)` or `(error, instance, done)` */
  add(fn: AnyFunction, context: Context, callSite: CallSite): void {
    const describe = (): string => `the callback of ready, given at ${callSite.toString()},`
    const call = (error: Error | null): unknown => {
      const args = argumentsOfAfter(fn, error, context)
      const { instance } = context
      return declaresDone(fn, args.length)
        ? callWithDone(fn, instance, args, describe)
        : fn.call(instance, error)
    }
    const entry = { name: 'onReady', fn: () => call(null), callSite } as const
    this.#waiting.push({ hook: { entry, instance: context.instance }, fail: call })
  }

  /** Resolves in its turn. */
  promise(context: Context, callSite: CallSite): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown): Promise<void> | undefined => {
        if (error === null) resolve()
        else reject(error)
        // The caller that awaits the promise continues before the next callback runs.
        return error === null ? nextTurn() : undefined
      }
      this.add(settle, context, callSite)
    })
  }

  /** Runs them one after the other; the first that fails ends the boot. */
  async run(timeoutMs: number): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await runApplicationHooks('onReady', [next.hook], timeoutMs)
    }
  }

  /** Calls all of them with the reason why the app does not start. */
  fail(error: Error): void {
    for (const { fail } of this.#waiting.splice(0)) fail(error)
  }
}
