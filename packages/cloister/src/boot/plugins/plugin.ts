import { createError } from '../../errors.ts'
import { isFunction, isRecord, recordOf, typeName, type AnyFunction, type Dictionary } from '../../guards.ts'
import type { CallSite } from '../../call-site.ts'
import type { Context } from '../../context/context.ts'
import type { DecoratorKind } from '../../context/decorators.ts'
import { dependencies } from '../../dependencies.ts'
import { nearestName } from '../../suggest.ts'
import type { DefinePlugin } from '../../types/public.ts'
import { ownOptionsIn } from './plugin-options.ts'

/** Symbols for metadata on plugins of the Fastify ecosystem. */
const SKIP_OVERRIDE: unique symbol = Symbol.for('skip-override')
const DISPLAY_NAME: unique symbol = Symbol.for('fastify.display-name')
const META: unique symbol = Symbol.for('plugin-meta')

/** The interface versions that plugins may require; the first one is `app.version`. */
export const INTERFACE_LEVELS: readonly string[] = ['4.29.1', '5.12.8']

export interface Plugin {
  readonly fn: AnyFunction
  readonly name: string
  /** the name on which other plugins can depend: that in its metadata, or that of a wrapped plugin */
  readonly knownAs: string | undefined
  /** wrapped with `fastify-plugin` or the like: it runs in the context that registers it */
  readonly breaksEncapsulation: boolean
  readonly range: string | undefined
  readonly dependencies: readonly string[]
  readonly decorators: Readonly<Record<DecoratorKind, readonly PropertyKey[]>>
  /** what it promises to give to requests */
  readonly provides: readonly string[]
  /** where it may not be registered again */
  readonly once: 'context' | 'lineage' | null
}

/**
 * Converts entries that aren't strings to text. The text matches no name, so the entry is reported instead of ignored.
 */
function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function names(value: unknown): readonly PropertyKey[] {
  return Array.isArray(value)
    ? value.filter((item) => typeof item === 'string' || typeof item === 'symbol')
    : []
}

function metaOf(fn: AnyFunction): Dictionary {
  return recordOf(Reflect.get(fn, META))
}

/** Returns the name of a plugin: from its metadata, its function, or the first lines of its text. */
function nameOf(fn: AnyFunction): string {
  const displayed: unknown = Reflect.get(fn, DISPLAY_NAME)
  if (typeof displayed === 'string') return displayed
  if (fn.name !== '' && fn.name !== 'default') return fn.name
  const lines = Function.prototype.toString.call(fn).split('\n').slice(0, 2)
  return lines.map((line) => line.trim()).join(' -- ')
}

/**
 * Reads a plugin: a function, a promise of a function, or a module with a function as its default export.
 *
 * @throws `CLO_ERR_PLUGIN_NOT_VALID`
 */
export async function readPlugin(given: unknown, callSite: CallSite): Promise<Plugin> {
  const settled: unknown = await given
  const fn = functionIn(settled)
  if (fn === null) throw notValid(settled, callSite)
  const meta = metaOf(fn)
  const decorators = recordOf(meta['decorators'])
  const range = meta['cloister'] ?? meta['fastify']
  const name = nameOf(fn)
  const breaksEncapsulation = Boolean(Reflect.get(fn, SKIP_OVERRIDE))
  return {
    fn,
    name,
    knownAs: typeof meta['name'] === 'string' ? meta['name'] : breaksEncapsulation ? name : undefined,
    breaksEncapsulation,
    range: typeof range === 'string' ? range : undefined,
    dependencies: strings(meta['dependencies']),
    provides: strings(recordOf(meta['provides'])['request']),
    once: isOnce(meta['once']) ? meta['once'] : null,
    decorators: {
      instance: [...names(decorators['fastify']), ...names(decorators['cloister'])],
      request: names(decorators['request']),
      reply: names(decorators['reply']),
    },
  }
}

/**
 * Returns the function of a plugin: the value itself, the default export of a module, or that of a transpiled module.
 */
function functionIn(given: unknown): AnyFunction | null {
  if (isFunction(given)) return given
  const { default: exported } = recordOf(given)
  const fn = isFunction(exported) ? exported : recordOf(exported)['default']
  return isFunction(fn) ? fn : null
}

/**
 * Checks at registration what can be checked without awaiting the plugin.
 *
 * @returns the custom route options of the plugin; routes may use them from now on
 */
export function assertPlugin(given: unknown, callSite: CallSite): readonly string[] {
  const fn = functionIn(given)
  if (fn === null && !isRecord(given)) throw notValid(given, callSite)
  return fn === null ? [] : strings(metaOf(fn)['routeOptions'])
}

function notValid(given: unknown, callSite: CallSite): Error {
  const members = Object.entries(recordOf(given)).flatMap(([name, value]) =>
    isFunction(value) ? [name] : [],
  )
  const functions = members.length > 0 ? ` with the functions ${members.join(', ')}` : ''
  return createError('PLUGIN_NOT_VALID', { type: `${typeName(given)}${functions}`, callSite })
}

const HOLDERS = [
  ['instance', 'the app'],
  ['request', 'Request'],
  ['reply', 'Reply'],
] as const

/**
 * Checks the requirements of a plugin against the context that registers it. Errors contain the nearest known name and
 * the call site of the registration.
 *
 * @throws `CLO_ERR_PLUGIN_VERSION_MISMATCH`, `CLO_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED`,
 * `CLO_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE`
 */
export function checkRequirements(plugin: Plugin, context: Context, callSite: CallSite): void {
  const { range, dependencies: needed, decorators } = plugin
  const name = plugin.knownAs ?? plugin.name
  const place = ` ('${name}' is registered at ${callSite.toString()})`
  if (range !== undefined && !fitsOneLevel(range)) {
    throw createError('PLUGIN_VERSION_MISMATCH', {
      name: plugin.name,
      wanted: range,
      installed: INTERFACE_LEVELS.join(' and '),
      hint: `; install a version of the plugin that is made for one of them${place}`,
    })
  }
  for (const dependency of needed) {
    if (context.hasPlugin(dependency)) continue
    const hint = `${nearestName(dependency, context.visiblePlugins())}${place}`
    throw createError('PLUGIN_DEPENDENCY_NOT_REGISTERED', { dependency, name, hint })
  }
  for (const [kind, holder] of HOLDERS) {
    const table = context.decorators[kind]
    const missing = decorators[kind].find((decorator) => !table.has(decorator))
    if (missing === undefined) continue
    const decorator = String(missing)
    const near = nearestName(decorator, table.names())
    throw createError('PLUGIN_NOT_PRESENT_IN_INSTANCE', {
      decorator,
      wantedBy: ` required by '${name}'`,
      kind: holder,
      hint: `; register the plugin that adds it before${near}${place}`,
    })
  }
}

/**
 * Checks that a plugin, which has loaded, gives to requests what it promises: a guard, a getter, or a decoration with a
 * value. `null` would reach handlers that expect the value.
 *
 * @throws `CLO_ERR_PLUGIN_PROVIDES_NOTHING`
 */
export function checkProvided(plugin: Plugin, context: Context, callSite: CallSite): void {
  const { provides, name } = plugin
  for (const promised of provides) {
    const decoration = context.decorators.request.find(promised)
    if (decoration !== undefined && decoration.value !== null && decoration.value !== undefined) continue
    const problem =
      decoration === undefined
        ? 'it adds nothing of that name'
        : `the decoration at ${decoration.callSite.toString()} has no value`
    throw createError('PLUGIN_PROVIDES_NOTHING', { name, promised, problem, callSite })
  }
}

function fitsOneLevel(range: string): boolean {
  return INTERFACE_LEVELS.some((level) =>
    dependencies.semver().satisfies(level, range, { includePrerelease: true }),
  )
}

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
  const { plugin, name, version, encapsulate, ownOptions, ...needs } = readDefinition(definition)
  const wrapped = async (instance: unknown, options: unknown): Promise<void> => {
    await plugin(instance, ownOptions === true ? ownOptionsIn(options) : options)
  }
  Object.defineProperties(wrapped, {
    [SKIP_OVERRIDE]: { value: encapsulate !== true },
    [DISPLAY_NAME]: { value: name ?? (plugin.name || 'defined plugin') },
    [META]: { value: Object.freeze({ ...needs, name, fastify: version, encapsulate }) },
  })
  return wrapped
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string' && value !== ''
const isFlag: Check = (value) => typeof value === 'boolean'
const isName: Check = (value) => isText(value) || typeof value === 'symbol'
const DECORATED: readonly string[] = ['cloister', 'request', 'reply']

const isDecorators: Check = (value) =>
  isRecord(value) &&
  Object.entries(value).every(([holder, list]) => DECORATED.includes(holder) && isListOf(isName)(list))

function isOnce(value: unknown): value is 'context' | 'lineage' {
  return value === 'context' || value === 'lineage'
}

const isProvided: Check = (value) =>
  isRecord(value) &&
  Object.entries(value).every(([side, list]) => side === 'request' && isListOf(isText)(list))

function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check)
}

type Field = readonly [check: Check, kind: string]

const fieldsOf = (): ReadonlyMap<string, Field> =>
  new Map<string, Field>([
    ['name', [isText, 'a text']],
    ['version', [isText, 'a range of versions']],
    ['encapsulate', [isFlag, 'true or false']],
    ['dependencies', [isListOf(isText), 'a list of names of plugins']],
    ['decorators', [isDecorators, 'lists of names for cloister, request and reply']],
    ['routeOptions', [isListOf(isText), 'a list of names']],
    ['provides', [isProvided, 'a list of names for request']],
    ['ownOptions', [isFlag, 'true or false']],
    ['once', [isOnce, "'context' or 'lineage'"]],
  ])

function readDefinition(
  definition: unknown,
): Record<string, unknown> & { plugin: (...args: unknown[]) => unknown } {
  const { plugin, ...fields } = recordOf(definition)
  if (!isFunction(plugin)) {
    throw createError('PLUGIN_NOT_VALID', { type: typeName(plugin), callSite: 'definePlugin({ plugin })' })
  }
  const checks = fieldsOf()
  for (const [field, value] of Object.entries(fields)) {
    const [check, kind] = checks.get(field) ?? []
    if (check !== undefined && (value === undefined || check(value))) continue
    const known = [...checks.keys()]
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
