import { assertOpen } from '../../boot/seal.ts'
import type { Context } from '../../context/context.ts'
import type { CloisterError } from '../../errors.ts'
import { CallSite } from '../../call-site.ts'
import { kApp, type kContext } from '../../symbols.ts'
import type { CloisterInstance } from '../../types/instance.ts'
import type { CloisterApp } from '../cloister-app.ts'

/** The object that user code calls the app; it belongs to a context and to an app. */
export interface Instance {
  readonly [kContext]: Context
  readonly [kApp]: CloisterApp
}

/** Members beside those of the common interface: what depends on the context, what 4.x has, what reports an error. */
type Beside = 'route' | 'server' | 'onClose' | 'use' | 'schemaErrorFormatter' | 'genReqId' | 'then'

/** A method takes what the public interface says that it takes. */
type Member<T> = T extends (...args: infer Args) => unknown
  ? (this: Instance, ...args: Args) => unknown
  : unknown

/** A group of members: each is a member of the public interface, or one of those beside it. */
export type Members<Names extends keyof CloisterInstance | Beside> = {
  readonly [Name in Names]: Name extends keyof CloisterInstance ? Member<CloisterInstance[Name]> : unknown
} & ThisType<Instance>

/**
 * Makes a method that gets the call site. `instance.ts` gives it its name.
 *
 * @param run - takes the instance, the call site, and the arguments of the call
 */
export function withCallSite<Args extends unknown[], Result>(
  run: (instance: Instance, callSite: CallSite, ...args: Args) => Result,
): (this: Instance, ...args: Args) => Result {
  function method(this: Instance, ...args: Args): Result {
    return run(this, new CallSite(method, this[kApp].queue.loadingPlugin), ...args)
  }
  return Object.defineProperty(method, 'length', { value: run.length - 2, configurable: true })
}

/**
 * Makes a method that changes its context: refused once the app is sealed; returns the instance.
 *
 * @param action - for the error of a call that comes too late: `add a shared schema`, or how the arguments tell it
 * @param run - takes the instance, the call site, and the arguments
 * @param refuse - makes another error than the usual one
 */
export function registration<Args extends unknown[]>(
  action: string | ((...args: Args) => string),
  run: (instance: Instance, callSite: CallSite, ...args: Args) => void,
  refuse?: (when: string, action: string) => CloisterError,
): (this: Instance, ...args: Args) => Instance {
  const method = withCallSite((instance, callSite, ...args: Args): Instance => {
    const what = typeof action === 'string' ? action : action(...args)
    assertOpen(instance[kApp], what, refuse)
    run(instance, callSite, ...args)
    return instance
  })
  return Object.defineProperty(method, 'length', { value: run.length - 2, configurable: true })
}
