import { createError } from '../errors.ts'
import { isAsyncFunction, isFunction, typeName, type AnyFunction } from '../guards.ts'
import { nearestName } from '../suggest.ts'
import type { CallSite } from '../call-site.ts'
import { HOOKS, isHookName } from './names.ts'
import type { HookName } from '../types/hooks.ts'
import type { GuardFacts, GuardRefusals } from '../types/guards.ts'

/** The context in which a hook was added, or the context of its route. */
export interface HookOwner {
  /** the `this` of the hook */
  readonly instance: object
  /** `root > api > users` */
  readonly path: string
}

/** A function that gives a value to the requests of its context (`addGuard`). */
export interface Guard extends Readonly<Required<Omit<GuardFacts, 'refuses'>>> {
  readonly name: string
  readonly refuses: GuardRefusals
  readonly run: AnyFunction
  /** gives its value back when the exchange is over; `null` if it holds nothing */
  readonly release: AnyFunction | null
  /** the field of requests with the value; `undefined` until the guard has run */
  readonly slot: symbol
  readonly owner: HookOwner
  readonly callSite: CallSite
}

/** A hook with the place that added it. */
export interface HookEntry {
  readonly name: HookName
  readonly fn: AnyFunction
  readonly callSite: CallSite
  readonly owner: HookOwner
  /** added by `addHook`, or by the options of a route */
  readonly source: 'context' | 'route'
  /** the guard that the hook runs; `null` for other hooks */
  readonly guard: Guard | null
}

/** Returns the name of a function for messages. */
export function nameOf(fn: AnyFunction): string {
  return fn.name || 'anonymous'
}

/** Returns the description of a hook for messages: `the onRequest hook 'auth', added at app.js:12,`. */
export function describeHook({ name, fn, callSite }: HookEntry): string {
  return `the ${name} hook '${nameOf(fn)}', added at ${callSite.toString()},`
}

/**
 * Checks a hook and creates its entry.
 *
 * @param place - where the hook is given, for an error, if it is not the call of `addHook`
 * @throws `CLO_ERR_HOOK_INVALID_TYPE`, `CLO_ERR_HOOK_NOT_SUPPORTED` (with the most similar name),
 * `CLO_ERR_HOOK_INVALID_HANDLER`, `CLO_ERR_HOOK_INVALID_ASYNC_HANDLER`
 */
export function createHookEntry(
  name: unknown,
  fn: unknown,
  callSite: CallSite,
  owner: HookOwner,
  place: string = '',
): HookEntry {
  if (typeof name !== 'string') throw createError('HOOK_INVALID_TYPE', { type: typeName(name) })
  if (!isHookName(name)) {
    throw createError('HOOK_NOT_SUPPORTED', { name, nearest: nearestName(name, Object.keys(HOOKS)) })
  }
  if (!isFunction(fn)) throw createError('HOOK_INVALID_HANDLER', { name, type: `${typeName(fn)}${place}` })
  const { args, sync } = HOOKS[name]
  if (!sync && isAsyncFunction(fn) && fn.length > args) {
    throw createError('HOOK_INVALID_ASYNC_HANDLER', { name, fn: nameOf(fn), callSite })
  }
  return { name, fn, callSite, owner, source: 'context', guard: null }
}
