import type { Context } from '../../context/context.ts'
import type { CallSite } from '../../call-site.ts'
import { applyChildOptions, createChild } from '../../context/create-child.ts'
import { createError } from '../../errors.ts'
import { isFunction, isRecord, typeName } from '../../guards.ts'
import { nearestName } from '../../suggest.ts'
import { checkRequirements, readPlugin, type Plugin } from './read-plugin.ts'

export interface Registration {
  readonly plugin: unknown
  readonly options: unknown
  /** the context of the instance that was called */
  readonly context: Context
  readonly callSite: CallSite
}

interface OpenedPlugin {
  readonly plugin: Plugin
  readonly context: Context
  readonly options: unknown
}

/**
 * Prepares a registration: reads the plugin, checks its requirements, and creates its context. A wrapped plugin gets
 * the context in which it is registered; any other plugin gets a child of it.
 *
 * @param parent - the context in which the plugin is registered
 */
export async function openPlugin(registration: Registration, parent: Context): Promise<OpenedPlugin> {
  const { callSite, options: given } = registration
  const plugin = await readPlugin(registration.plugin, callSite)
  checkRequirements(plugin, parent, callSite)
  if (plugin.breaksEncapsulation) {
    const options = readOptions(given, parent)
    parent.pluginNames.push(plugin.name)
    parent.registeredPlugins.add(plugin.statedName ?? plugin.name)
    return { plugin, context: parent, options }
  }
  const context = createChild(parent, plugin.name)
  const options = readOptions(given, context)
  applyChildOptions(context, readChildOptions(given, options))
  if (plugin.statedName !== undefined) parent.registeredPlugins.add(plugin.statedName)
  for (const { fn } of parent.hooksInForce('onRegister')) fn.call(parent.instance, context.instance, options)
  return { plugin, context, options }
}

function readOptions(given: unknown, context: Context): unknown {
  return isFunction(given) ? given(context.instance) : (given ?? {})
}

/**
 * Returns the options of a registration that the framework reads. An options function may have them as properties,
 * which take precedence over those of its result.
 */
function readChildOptions(given: unknown, result: unknown): Readonly<Record<string, unknown>> {
  const own: Record<string, unknown> = isFunction(given) ? Object.fromEntries(Object.entries(given)) : {}
  const options: Record<string, unknown> = { ...(isRecord(result) ? result : {}), ...own }
  const { prefix, serialization } = options
  if (prefix != null && typeof prefix !== 'string') {
    const problem = `'prefix' of a plugin must be a string, got ${typeName(prefix)}`
    throw createError('INIT_OPTS_INVALID', { problem })
  }
  refuseMisspelt(serialization)
  return options
}

/** The plugin may have its own option with this name. A value close to a valid one is meant for the framework. */
function refuseMisspelt(serialization: unknown): void {
  if (serialization === 'compat' || serialization === 'strict' || typeof serialization !== 'string') return
  const hint = nearestName(serialization, ['compat', 'strict'])
  if (hint === '') return
  const problem = `'serialization' of a plugin must be 'compat' or 'strict', got ${JSON.stringify(serialization)}${hint}`
  throw createError('INIT_OPTS_INVALID', { problem })
}
