import { assertOpen, type LateError } from '../../boot/seal.ts'
import type { Context } from '../../context/context.ts'
import { CallSite } from '../../call-site.ts'
import { COMMON_METHODS } from '../../routes/methods.ts'
import { kApp, kContext } from '../../symbols.ts'
import type { CloisterInstance } from '../../types/instance.ts'
import type { CloisterApp } from '../cloister-app.ts'

/** The object that user code calls the app. It belongs to one context of one app. */
export interface Instance {
  readonly [kContext]: Context
  readonly [kApp]: CloisterApp
}

/** Methods with a shortcut in a version of Fastify. */
const SHORTCUTS_OF_FASTIFY = 'delete get head patch post put options trace query'.split(' ')

/**
 * Members that no version of Fastify has. For plugins they don't exist: they may use the names for decorators, and
 * `hasDecorator` knows only these. `use` and `ws` only say which plugin provides them.
 */
export const OWN_MEMBERS: ReadonlySet<PropertyKey> = new Set([
  ...'use ws addGuard cloisterVersion explain fetch mount override transport schemaErrorFormatter'.split(' '),
  ...COMMON_METHODS.map((method) => method.toLowerCase()).filter(
    (name) => !SHORTCUTS_OF_FASTIFY.includes(name),
  ),
])

/** Members that are not in `CloisterInstance`, or whose types depend on the context. */
type Beside = 'route' | 'server' | 'onClose' | 'use' | 'ws' | 'schemaErrorFormatter' | 'genReqId' | 'then'

type Member<T> = T extends (...args: infer Args) => unknown
  ? (this: Instance, ...args: Args) => unknown
  : unknown

export type Members<Names extends keyof CloisterInstance | Beside> = {
  readonly [Name in Names]: Name extends keyof CloisterInstance ? Member<CloisterInstance[Name]> : unknown
} & ThisType<Instance>

/** A call of a method: of which instance, and from where. */
export interface Call {
  readonly instance: Instance
  readonly app: CloisterApp
  readonly context: Context
  readonly callSite: CallSite
}

/**
 * Creates a method that receives its call site. `instance.ts` sets its name.
 *
 * @param run - gets the call and its arguments
 * @param length - the number of arguments that the method shows
 */
export function withCall<Args extends unknown[], Result>(
  run: (call: Call, ...args: Args) => Result,
  length: number = run.length - 1,
): (this: Instance, ...args: Args) => Result {
  function method(this: Instance, ...args: Args): Result {
    const { [kApp]: app, [kContext]: context } = this
    const callSite = new CallSite(method, app.queue.loadingPlugin)
    return run({ instance: this, app, context, callSite }, ...args)
  }
  return Object.defineProperty(method, 'length', { value: length, configurable: true })
}

/**
 * Creates a method that changes its context and returns the instance. It throws once the app is sealed.
 *
 * @param action - for the error of a late call: `add a shared schema`, or a function of the arguments
 * @param run - gets the call and its arguments
 * @param error - another than the usual one
 * @param length - the number of arguments that the method shows
 */
export function registration<Args extends unknown[]>(
  action: string | ((...args: Args) => string),
  run: (call: Call, ...args: Args) => void,
  error?: LateError,
  length: number = run.length - 1,
): (this: Instance, ...args: Args) => Instance {
  return withCall((call, ...args: Args): Instance => {
    assertOpen(call.app, typeof action === 'string' ? action : action(...args), error)
    run(call, ...args)
    return call.instance
  }, length)
}
