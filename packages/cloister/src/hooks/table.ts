import { createError } from '../errors.ts'
import { isAsyncFunction, isFunction, typeName, type AnyFunction } from '../guards.ts'
import { nearestName } from '../suggest.ts'
import type { CallSite } from '../call-site.ts'
import { HOOKS, isHookName } from './names.ts'
import type { HookName } from '../types/hooks.ts'

/** A hook as it was added: the function and where that was. */
export interface HookEntry {
  readonly name: HookName
  readonly fn: AnyFunction
  readonly callSite: CallSite
}

/** How messages name a function. */
export function nameOf(fn: AnyFunction): string {
  return fn.name || 'anonymous'
}

/** How messages name a hook. */
export function describeHook({ name, fn, callSite }: HookEntry): string {
  return `the ${name} hook '${nameOf(fn)}', added at ${callSite.toString()},`
}

/**
 * Checks a hook when it is added.
 *
 * @throws `CLO_ERR_HOOK_INVALID_TYPE`, `CLO_ERR_HOOK_NOT_SUPPORTED` (with the nearest name),
 * `CLO_ERR_HOOK_INVALID_HANDLER`, `CLO_ERR_HOOK_INVALID_ASYNC_HANDLER`
 */
export function createHookEntry(name: unknown, fn: unknown, callSite: CallSite): HookEntry {
  if (typeof name !== 'string') throw createError('HOOK_INVALID_TYPE', { type: typeName(name) })
  if (!isHookName(name)) {
    throw createError('HOOK_NOT_SUPPORTED', { name, nearest: nearestName(name, Object.keys(HOOKS)) })
  }
  if (!isFunction(fn)) throw createError('HOOK_INVALID_HANDLER', { name, type: typeName(fn) })
  const { args, sync } = HOOKS[name]
  if (!sync && isAsyncFunction(fn) && fn.length > args) {
    throw createError('HOOK_INVALID_ASYNC_HANDLER', { name, fn: nameOf(fn), callSite: callSite.toString() })
  }
  return { name, fn, callSite }
}

/**
 * The hooks of one context, chained to those of its parent. Hooks run in the order in which they were added, in
 * whichever context that was.
 */
export class HookTable {
  readonly #parent: HookTable | null
  readonly #own: { readonly entry: HookEntry; readonly order: number }[] = []
  /** how many were added so far; counted in the root's table */
  #count = 0

  constructor(parent: HookTable | null) {
    this.#parent = parent
  }

  add(entry: HookEntry): void {
    this.#own.push({ entry, order: this.#nextOrder() })
  }

  /** The hooks of this context alone, in the order in which they were added. */
  get own(): readonly HookEntry[] {
    return this.#own.map(({ entry }) => entry)
  }

  /** The hooks of this context and its ancestors. */
  get(name: HookName): readonly HookEntry[] {
    return this.#visible()
      .filter(({ entry }) => entry.name === name)
      .sort((a, b) => a.order - b.order)
      .map(({ entry }) => entry)
  }

  #visible(): { readonly entry: HookEntry; readonly order: number }[] {
    return this.#parent === null ? this.#own : [...this.#parent.#visible(), ...this.#own]
  }

  #nextOrder(): number {
    return this.#parent === null ? this.#count++ : this.#parent.#nextOrder()
  }
}
