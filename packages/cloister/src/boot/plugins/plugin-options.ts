import { isOfPackage, type CallSite } from '../../call-site.ts'
import { createError } from '../../errors.ts'
import { isFunction, isRecord, recordOf, undefinedNames, type Dictionary } from '../../guards.ts'
import { REQUEST_HOOK_NAMES } from '../../hooks/names.ts'
import { warn } from '../../logging/warnings.ts'
import { refuseOptions } from '../../options/option-row.ts'
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
 * @param refusesUndefined - whether a hook that is `undefined` is an error
 * @throws `CLO_ERR_PLUGIN_OPTIONS_INVALID` for a text, which is hardly meant for the plugin, but as a prefix
 * @throws `CLO_ERR_INIT_OPTS_INVALID` for an undefined hook
 */
export function assertPluginOptions(
  plugin: unknown,
  given: unknown,
  callSite: CallSite,
  refusesUndefined: boolean,
): void {
  if (typeof given === 'string') throw createError('PLUGIN_OPTIONS_INVALID', { given, callSite })
  if (isRecord(given)) reportUndefinedHooks(given, callSite, refusesUndefined)
  if (!isFunction(plugin) || plugin.length > 1 || !isRecord(given)) return
  for (const name of Object.keys(given)) {
    const hint = nearestName(name, OF_REGISTER, 1)
    if (hint !== '' && !OF_REGISTER.includes(name)) warn('PREFIX_MISSPELT', { name, hint, callSite })
  }
}

/**
 * Reports hooks for the routes of a plugin that are `undefined`: proxies take them, and run nothing in their place.
 * Plugins that register others pass on what their user may leave out.
 */
function reportUndefinedHooks(given: Dictionary, callSite: CallSite, isRefused: boolean): void {
  const missing = undefinedNames(given, REQUEST_HOOK_NAMES)
  if (missing.length === 0 || isOfPackage(callSite)) return
  const names = missing.join("' and '")
  if (isRefused)
    refuseOptions(`the option '${names}' of the plugin registered at ${callSite.toString()} is undefined`)
  warn('PLUGIN_HOOK_MISSING', { names, callSite })
}
