import { createError } from '../errors.ts'
import { isAsyncFunction, isFunction, typeName } from '../functions.ts'
import type { AnyFunction } from '../functions.ts'
import { nearestName } from '../nearest-name.ts'
import type { Place } from '../place.ts'
import { HOOKS, isHookName } from './hook-names.ts'
import type { HookName } from './hook-names.ts'

/** A hook as it was added: the function and where that was. */
export interface HookEntry {
  readonly name: HookName
  readonly fn: AnyFunction
  readonly place: Place
}

/**
 * Checks a hook when it is added.
 *
 * @throws `CLO_ERR_HOOK_INVALID_TYPE`, `CLO_ERR_HOOK_NOT_SUPPORTED` (with the nearest name),
 * `CLO_ERR_HOOK_INVALID_HANDLER`, `CLO_ERR_HOOK_INVALID_ASYNC_HANDLER`
 */
export function createHookEntry(name: unknown, fn: unknown, place: Place): HookEntry {
  if (typeof name !== 'string') throw createError('HOOK_INVALID_TYPE', { type: typeName(name) })
  if (!isHookName(name)) {
    throw createError('HOOK_NOT_SUPPORTED', { name, nearest: nearestName(name, Object.keys(HOOKS)) })
  }
  if (!isFunction(fn)) throw createError('HOOK_INVALID_HANDLER', { name, type: typeName(fn) })
  const { args, sync } = HOOKS[name]
  if (!sync && isAsyncFunction(fn) && fn.length > args) {
    throw createError('HOOK_INVALID_ASYNC_HANDLER', {
      name,
      fn: fn.name || 'anonymous',
      place: place.toString(),
    })
  }
  return { name, fn, place }
}

/** The hooks of one context, in the order they were added. */
export class HookTable {
  readonly #entries = new Map<HookName, HookEntry[]>()

  add(entry: HookEntry): void {
    const entries = this.#entries.get(entry.name)
    if (entries === undefined) this.#entries.set(entry.name, [entry])
    else entries.push(entry)
  }

  get(name: HookName): readonly HookEntry[] {
    return this.#entries.get(name) ?? []
  }
}
