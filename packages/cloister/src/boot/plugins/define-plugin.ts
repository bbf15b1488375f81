import { createError } from '../../errors.ts'
import { isFunction, isRecord, typeName } from '../../guards.ts'
import type { DefinePlugin } from '../../types/public.ts'
import { DISPLAY_NAME, META, SKIP_OVERRIDE } from './read-plugin.ts'

/**
 * Defines a plugin that states what it needs, provides and takes. The types follow it through `register`.
 *
 * It fills the context that registers it; with `encapsulate: true` it gets a context of its own.
 *
 * @throws `CLO_ERR_PLUGIN_NOT_VALID` when there is no `plugin` function
 *
 * @example
 * ```ts
 * import { cloister, definePlugin } from 'cloister'
 *
 * const clock = definePlugin<{ provides: { app: { now: () => number } } }>({
 *   name: 'clock',
 *   plugin: (app) => app.decorate('now', () => Date.now()),
 * })
 *
 * const app = cloister().register(clock)
 * app.get('/now', () => ({ now: app.now() }))
 * ```
 */
export const definePlugin: DefinePlugin = (definition) => {
  const { plugin, name, version, encapsulate, ...needs } = readDefinition(definition)
  const wrapped = async (instance: unknown, options: unknown): Promise<void> => {
    await plugin(instance, options)
  }
  Object.defineProperties(wrapped, {
    [SKIP_OVERRIDE]: { value: encapsulate !== true },
    [DISPLAY_NAME]: { value: name ?? (plugin.name || 'defined plugin') },
    [META]: { value: Object.freeze({ ...needs, name, fastify: version, encapsulate }) },
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract exists in types alone
  return wrapped as never
}

function readDefinition(
  definition: unknown,
): Record<string, unknown> & { plugin: (...args: unknown[]) => unknown } {
  const given = isRecord(definition) ? definition : {}
  const { plugin } = given
  if (isFunction(plugin)) return { ...given, plugin }
  throw createError('PLUGIN_NOT_VALID', { type: typeName(plugin), callSite: 'definePlugin({ plugin })' })
}
