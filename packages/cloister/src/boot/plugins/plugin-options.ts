import type { CallSite } from '../../call-site.ts'
import { createError } from '../../errors.ts'
import { isFunction, isRecord, recordOf, type Dictionary } from '../../guards.ts'
import { warn } from '../../logging/warnings.ts'
import { nearestName } from '../../suggest.ts'

/** The options of `register` that the framework reads. */
const OF_REGISTER: readonly string[] = ['prefix', 'logLevel', 'logSerializers', 'serialization']

/** Returns the options of a registration that are the plugin's own. */
export function ownOptionsIn(options: unknown): Dictionary {
  return Object.fromEntries(Object.entries(recordOf(options)).filter(([name]) => !OF_REGISTER.includes(name)))
}

/**
 * Checks the second argument of `register`. A plugin without a parameter for options takes only those of the framework.
 *
 * @throws `CLO_ERR_PLUGIN_OPTIONS_INVALID` for a text, which is hardly meant for the plugin, but as a prefix
 */
export function assertPluginOptions(plugin: unknown, given: unknown, callSite: CallSite): void {
  if (typeof given === 'string') throw createError('PLUGIN_OPTIONS_INVALID', { given, callSite })
  if (!isFunction(plugin) || plugin.length > 1 || !isRecord(given)) return
  for (const name of Object.keys(given)) {
    const hint = nearestName(name, OF_REGISTER, 1)
    if (hint !== '' && !OF_REGISTER.includes(name)) warn('PREFIX_MISSPELT', { name, hint, callSite })
  }
}
