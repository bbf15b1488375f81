import { describe, PluginError } from './errors.ts'
import { assertMetadata, toStored } from './metadata.ts'
import type { PluginMetadata, StoredMetadata } from './metadata.ts'
import { derivePluginName } from './plugin-name.ts'
import { displayName, pluginMeta, skipOverride } from './symbols.ts'

/** Any function that can be a plugin: `(app, options)` returning a promise, or `(app, options, done)`. */
export type PluginFunction = (...args: never[]) => unknown

/** What wrapping adds to the plugin function. */
export interface Wrapped<M = unknown> {
  /** `true`: what the plugin registers belongs to its parent; `false`: it keeps a context of its own. */
  readonly [skipOverride]: Breaks<M>
  /** Name in errors and logs. */
  readonly [displayName]: string
  /** Checked metadata. */
  readonly [pluginMeta]: StoredMetadata
}

/** Whether a plugin with metadata `M` breaks encapsulation. */
export type Breaks<M> = M extends { readonly encapsulate: infer E } ? (E extends true ? false : true) : true

/** A module whose default export is the plugin, as `import * as module` gives it. */
export interface PluginModule<F extends PluginFunction> {
  /** The plugin. */
  readonly default: F
}

/** The wrapping helper as a function. */
export interface WrapPlugin {
  /**
   * Marks a plugin so that it registers into the context that registers it, not into a child context.
   *
   * The function itself is marked and returned: its type and identity stay. When it is wrapped once more,
   * the later call replaces what the former said.
   *
   * @param fn - the plugin, or a module with the plugin as its default export
   * @param metadata - what the plugin says about itself; a string is the range of the interface level
   * @throws PluginError when `fn` is not a function or a field of the metadata cannot be used
   */
  <F extends PluginFunction, const M extends PluginMetadata | string = PluginMetadata>(
    fn: F | PluginModule<F>,
    metadata?: M,
  ): F & Wrapped<M>
}

/** The wrapping helper, which is also a property of itself for code that uses `require`. */
export interface PluginHelper extends WrapPlugin {
  /** The helper itself: `const { plugin } = require('@cloister/plugin')`. */
  readonly plugin: WrapPlugin
  /** The helper itself: `require('@cloister/plugin').default`. */
  readonly default: WrapPlugin
}

/** Marks a plugin so that it registers into its parent's context; see {@link WrapPlugin}. */
export const plugin: PluginHelper = Object.assign(wrapPlugin, {
  plugin: wrapPlugin,
  default: wrapPlugin,
})

// The signature that callers see ties `skipOverride` to the metadata; the one of the body says `boolean`.
function wrapPlugin<F extends PluginFunction, const M extends PluginMetadata | string = PluginMetadata>(
  fn: F | PluginModule<F>,
  metadata?: M,
): F & Wrapped<M>
function wrapPlugin<F extends PluginFunction>(given: F | PluginModule<F>, metadata: unknown = {}): F & Marks {
  const fn = toFunction(given)
  const fields = typeof metadata === 'string' ? { fastify: metadata } : metadata
  assertMetadata(fields)
  const name = fields.name ?? derivePluginName(fn, wrapPlugin)
  return Object.assign(fn, {
    [skipOverride]: fields.encapsulate !== true,
    [displayName]: name,
    [pluginMeta]: Object.freeze({ ...toStored(fields), name }),
  })
}

interface Marks {
  readonly [skipOverride]: boolean
  readonly [displayName]: string
  readonly [pluginMeta]: StoredMetadata
}

function toFunction<F extends PluginFunction>(given: F | PluginModule<F>): F {
  const fn = isModule(given) ? given.default : given
  if (typeof fn === 'function') return fn
  throw notAFunction(fn)
}

function isModule<F extends PluginFunction>(given: F | PluginModule<F>): given is PluginModule<F> {
  return typeof given === 'object' && given !== null && 'default' in given
}

function notAFunction(given: unknown): PluginError {
  const hint = given instanceof Promise ? '; await it first, or wrap the plugin in its own module' : ''
  return new PluginError(
    'CLO_ERR_PLUGIN_NOT_A_FUNCTION',
    `plugin(): the first argument must be the plugin function, got ${describe(given)}${hint}`,
  )
}
