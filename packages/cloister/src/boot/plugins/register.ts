import type { Context } from '../../context/context.ts'
import { applyChildOptions, createChild, type ChildOptions } from '../../context/create-child.ts'
import { createError } from '../../errors.ts'
import { isFunction, isRecord, typeName } from '../../guards.ts'
import { nearestName } from '../../suggest.ts'
import { checkRequirements, readPlugin, type Plugin } from './read-plugin.ts'
import type { QueueItem } from './load-node.ts'

/** A plugin with the context that it loads in. */
export interface OpenedPlugin {
  readonly plugin: Plugin
  readonly context: Context
  readonly options: unknown
}

/**
 * Prepares a registration: reads the plugin, checks what it needs, and makes its context. A wrapped plugin gets the
 * context that it loads in, any other one a child of it.
 *
 * @param parent - the context that it loads in
 */
export async function openPlugin(
  item: Extract<QueueItem, { kind: 'plugin' }>,
  parent: Context,
): Promise<OpenedPlugin> {
  const { callSite } = item
  const plugin = await readPlugin(item.plugin, callSite)
  checkRequirements(plugin, parent, callSite)
  if (plugin.breaksEncapsulation) {
    const options = readOptions(item.options, parent)
    parent.pluginNames.push(plugin.name)
    parent.registeredPlugins.add(plugin.meta.name ?? plugin.name)
    return { plugin, context: parent, options }
  }
  const context = createChild(parent, plugin.name)
  const options = readOptions(item.options, context)
  applyChildOptions(context, readChildOptions(item.options, options))
  if (plugin.meta.name !== undefined) parent.registeredPlugins.add(plugin.meta.name)
  for (const { fn } of parent.hooksInForce('onRegister')) fn.call(parent.instance, context.instance, options)
  return { plugin, context, options }
}

/** Calls a function of options with the instance that the plugin will get. */
function readOptions(given: unknown, context: Context): unknown {
  return isFunction(given) ? given(context.instance) : (given ?? {})
}

/**
 * The options of a registration that the framework itself reads. A function of options may have them as properties,
 * which win over those of its result.
 */
function readChildOptions(given: unknown, result: unknown): ChildOptions {
  const own: Record<string, unknown> = isFunction(given) ? Object.fromEntries(Object.entries(given)) : {}
  const options: Record<string, unknown> = { ...(isRecord(result) ? result : {}), ...own }
  const { prefix, logLevel, logSerializers, serialization } = options
  if (prefix != null && typeof prefix !== 'string') {
    throw createError('INIT_OPTS_INVALID', {
      problem: `'prefix' of a plugin must be a string, got ${typeName(prefix)}`,
    })
  }
  refuseMisspelt(serialization)
  return {
    ...(typeof prefix === 'string' ? { prefix } : {}),
    ...(typeof logLevel === 'string' ? { logLevel } : {}),
    ...(isRecord(logSerializers) ? { logSerializers } : {}),
    ...(serialization === 'compat' || serialization === 'strict' ? { serialization } : {}),
  }
}

/** A plugin may have an option of this name too. A value that is close to one of ours is meant for the framework. */
function refuseMisspelt(serialization: unknown): void {
  if (serialization === 'compat' || serialization === 'strict' || typeof serialization !== 'string') return
  const hint = nearestName(serialization, ['compat', 'strict'])
  if (hint === '') return
  const problem = `'serialization' of a plugin must be 'compat' or 'strict', got ${JSON.stringify(serialization)}${hint}`
  throw createError('INIT_OPTS_INVALID', { problem })
}
