import { assertPlugin } from '../../boot/plugins/read-plugin.ts'
import { assertOpen } from '../../boot/seal.ts'
import { createError } from '../../errors.ts'
import type { CloisterError } from '../../errors.ts'
import { isFunction, isThenable, typeName, whenSettled } from '../../guards.ts'
import { kApp, kContext } from '../../symbols.ts'
import { registration, withCallSite } from './members.ts'
import type { Members } from './members.ts'

const afterBoot = (when: string, action: string): CloisterError =>
  createError('ROOT_PLG_BOOTED', { action, when })

/** Plugins: registration, `after`, and the questions about them. */
export const pluginMembers: Members<'prefix' | 'pluginName' | 'register' | 'hasPlugin' | 'after'> = {
  get prefix(): string {
    return this[kContext].prefix
  },

  get pluginName(): string {
    return this[kContext].pluginNames.join(' -> ')
  },

  register: registration(
    'register',
    { action: 'register a plugin', error: afterBoot },
    (instance, callSite, plugin: unknown, options?: unknown) => {
      assertPlugin(plugin, callSite)
      if (isThenable(plugin)) whenSettled(plugin, leaveToLoading, leaveToLoading)
      instance[kApp].queue.add({ kind: 'plugin', plugin, options, context: instance[kContext], callSite })
    },
  ),

  hasPlugin(name: string): boolean {
    return this[kContext].hasPlugin(name)
  },

  /** Waits for what was registered before: as a callback in the queue, or as a promise that loads it at once. */
  after: withCallSite('after', (instance, callSite, fn?: unknown) => {
    const app = instance[kApp]
    if (fn === undefined) return app.queue.load()
    if (!isFunction(fn)) throw createError('PLUGIN_CALLBACK_NOT_FN', { method: 'after', type: typeName(fn) })
    assertOpen(app, 'add an after callback', (when) => afterBoot(when, 'add an after callback'))
    app.queue.add({ kind: 'after', fn, context: instance[kContext], callSite })
    return instance
  }),
}

/** A module that cannot be imported is reported when the plugin loads; until then its promise is not unhandled. */
function leaveToLoading(): void {}
