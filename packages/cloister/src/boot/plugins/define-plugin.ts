import { createError } from '../../errors.ts'
import { isFunction, isRecord, typeName } from '../../guards.ts'
import { nearestName } from '../../suggest.ts'
import type { DefinePlugin } from '../../types/public.ts'
import { DISPLAY_NAME, META, SKIP_OVERRIDE } from './read-plugin.ts'

/**
 * Defines a plugin with its requirements, additions and options. `register` checks the requirements, and its result has
 * the types of the additions. The plugin runs in the context that registers it; with `encapsulate: true` it gets its own
 * context.
 *
 * @throws `CLO_ERR_PLUGIN_NOT_VALID` if there is no `plugin` function, `CLO_ERR_PLUGIN_DEFINITION_INVALID` if a field
 * is unknown or has the wrong type
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

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isName: Check = (value) => isText(value) || typeof value === 'symbol'
const HOLDERS: readonly string[] = ['cloister', 'request', 'reply']

const isDecorators: Check = (value) =>
  isRecord(value) &&
  Object.entries(value).every(([holder, list]) => HOLDERS.includes(holder) && isListOf(isName)(list))

function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

const FIELDS: ReadonlyMap<string, readonly [check: Check, kind: string]> = new Map([
  ['name', [isText, 'a text']],
  ['version', [isText, 'a range of versions']],
  ['encapsulate', [(value) => typeof value === 'boolean', 'true or false']],
  ['dependencies', [isListOf(isText), 'a list of names of plugins']],
  ['decorators', [isDecorators, 'lists of names for cloister, request and reply']],
  ['routeOptions', [isListOf(isText), 'a list of names']],
])

function readDefinition(
  definition: unknown,
): Record<string, unknown> & { plugin: (...args: unknown[]) => unknown } {
  const { plugin, ...fields } = isRecord(definition) ? definition : {}
  if (!isFunction(plugin)) {
    throw createError('PLUGIN_NOT_VALID', { type: typeName(plugin), callSite: 'definePlugin({ plugin })' })
  }
  for (const [field, value] of Object.entries(fields)) {
    const [check, kind] = FIELDS.get(field) ?? []
    if (check !== undefined && (value === undefined || check(value))) continue
    const known = [...FIELDS.keys()]
    const problem =
      kind === undefined
        ? `it is not known, ${known.join(', ')} are${nearestName(field, known)}`
        : `it must be ${kind}, got ${typeName(value)}`
    throw createError('PLUGIN_DEFINITION_INVALID', {
      field,
      name: String(fields['name'] ?? plugin.name),
      problem,
    })
  }
  return { ...fields, plugin }
}
