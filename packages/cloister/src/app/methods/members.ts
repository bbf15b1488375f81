import { assertOpen } from '../../boot/seal.ts'
import type { Context } from '../../context/context.ts'
import type { CloisterError } from '../../errors.ts'
import { CallSite } from '../../call-site.ts'
import { kApp, type kContext } from '../../symbols.ts'
import type { CloisterInstance } from '../../types/instance.ts'
import type { CloisterApp } from '../cloister-app.ts'

/** The object that user code calls the app. It belongs to one context of one app. */
export interface Instance {
  readonly [kContext]: Context
  readonly [kApp]: CloisterApp
}

/** Members that are not in `CloisterInstance`, or whose types depend on the context. */
type Beside = 'route' | 'server' | 'onClose' | 'use' | 'schemaErrorFormatter' | 'genReqId' | 'then'

type Member<T> = T extends (...args: infer Args) => unknown
  ? (this: Instance, ...args: Args) => unknown
  : unknown

export type Members<Names extends keyof CloisterInstance | Beside> = {
  readonly [Name in Names]: Name extends keyof CloisterInstance ? Member<CloisterInstance[Name]> : unknown
} & ThisType<Instance>

/**
 * Creates a method that receives its call site. `instance.ts` sets its name.
 *
 * @param run - gets the instance, the call site, and the arguments of the call
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
 * Creates a method that changes its context and returns the instance. It throws once the app is sealed.
 *
 * @param action - for the error of a late call: `add a shared schema`, or a function of the arguments
 * @param run - gets the instance, the call site, and the arguments
 * @param refuse - creates another error than the usual one
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
