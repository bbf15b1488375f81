import type { CallSite } from '../../call-site.ts'
import type { Context } from '../../context/context.ts'
import { createError } from '../../errors.ts'
import type { Plugin } from './plugin.ts'

/**
 * Refuses the second registration of a plugin that may be registered once, and notes the first.
 *
 * @throws `CLO_ERR_PLUGIN_REGISTERED_TWICE` with both call sites
 */
export function checkOnce({ name, once }: Plugin, context: Context, callSite: CallSite): void {
  if (once === null) return
  const where = once === 'context' ? [context] : context.lineage()
  const holder = where.find(({ onlyOnce }) => onlyOnce.has(name))
  const first = holder?.onlyOnce.get(name)
  if (first !== undefined) {
    const hint =
      once === 'context'
        ? '; a child context may register it with options of its own'
        : ': the first one also serves the contexts below'
    throw createError('PLUGIN_REGISTERED_TWICE', { name, first, context: holder?.path ?? '', callSite, hint })
  }
  context.onlyOnce.set(name, callSite)
}
