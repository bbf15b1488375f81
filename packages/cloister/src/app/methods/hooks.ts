import { assertOpen } from '../../boot/seal.ts'
import { isRequestHookName } from '../../hooks/names.ts'
import { createHookEntry } from '../../hooks/table.ts'
import { kApp, kContext } from '../../symbols.ts'
import { withCallSite } from './members.ts'
import type { Members } from './members.ts'
import { isFunction } from '../../guards.ts'
import type { AnyFunction } from '../../guards.ts'

/** Hooks of requests and of the application's life. */
export const hookMembers: Members<'addHook' | 'onClose'> = {
  addHook: withCallSite('addHook', (instance, callSite, name: unknown, fn: unknown) => {
    const entry = createHookEntry(name, name === 'onClose' ? toCloseHook(fn) : fn, callSite)
    const context = instance[kContext]
    const app = instance[kApp]
    assertOpen(app, `add the hook '${entry.name}'`)
    if (isRequestHookName(entry.name)) app.queue.inTurn(context, () => context.hooks.add(entry))
    else if (entry.name === 'onRoute' || entry.name === 'onRegister') context.hooks.add(entry)
    else app.applicationHooks[entry.name].push({ entry, instance: context.instance })
    return instance
  }),

  onClose: withCallSite('onClose', (instance, callSite, fn: unknown) => {
    const entry = createHookEntry('onClose', toCloseHook(fn), callSite)
    instance[kApp].applicationHooks.onClose.push({ entry, instance: instance[kContext].instance })
    return instance
  }),
}

/**
 * Returns an `onClose` hook that disposes of a resource, an object with `Symbol.asyncDispose` or `Symbol.dispose`, and
 * waits for its end. Any other value is returned as it is, and the check of hooks refuses it.
 */
function toCloseHook(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const dispose = methodOf(given, Symbol.asyncDispose) ?? methodOf(given, Symbol.dispose)
  if (dispose === null) return given
  return async (): Promise<void> => {
    await dispose.call(given)
  }
}

function methodOf(resource: object, name: symbol): AnyFunction | null {
  const method: unknown = Reflect.get(resource, name)
  return isFunction(method) ? method : null
}
