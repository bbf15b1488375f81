import { callWithDone, declaresDone } from '../hooks/adapt.ts'
import type { Context } from '../context/context.ts'
import type { AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { argumentsOfAfter } from './plugins/load-node.ts'
import type { HookEntry } from '../hooks/hook-entry.ts'

/**
 * Creates the entry of a `ready` callback of a plugin. It runs after all plugins have loaded and before the `onReady`
 * hooks; if the boot fails, it gets the error. Callbacks of the app itself run after those hooks.
 *
 * @param fn - has the parameters `()`, `(error)`, `(error, done)` or `(error, instance, done)`
 */
export function createReadyCallback(fn: AnyFunction, context: Context, callSite: CallSite): HookEntry {
  const describe = (): string => `the callback of ready, given at ${callSite.toString()},`
  const { instance } = context
  return {
    name: 'onReady',
    callSite,
    owner: context,
    source: 'context',
    fn: (error: unknown = null): unknown => {
      const args = argumentsOfAfter(fn, error, context)
      return declaresDone(fn, args.length)
        ? callWithDone(fn, instance, args, describe)
        : fn.call(instance, error)
    },
  }
}
