import { describe, PluginError } from './errors.ts'
import { assertMetadata, toStored } from './metadata.ts'
import type { PluginMetadata, StoredMetadata } from './metadata.ts'
import { derivePluginName } from './plugin-name.ts'
import { displayName, pluginMeta, skipOverride } from './symbols.ts'

/** Any plugin function: `(app, options)` that returns a promise, or `(app, options, done)`. */
export type PluginFunction = (...args: never[]) => unknown

/** The properties that wrapping adds to the plugin function. */
export interface Wrapped<M = unknown> {
  /** `true`: what the plugin registers belongs to the parent context; `false`: the plugin keeps its own context. */
  readonly [skipOverride]: Breaks<M>
  /** Name in errors and logs. */
  readonly [displayName]: string
  /** Checked metadata. */
  readonly [pluginMeta]: StoredMetadata
  /** Exists only in types, for the types of `register`. */
  readonly '~shared'?: Breaks<M>
}

/** Whether a plugin with metadata `M` breaks encapsulation. */
export type Breaks<M> = M extends { readonly encapsulate: infer E } ? (E extends true ? false : true) : true

/** A module with the plugin as its default export, as from `import * as module`. */
export interface PluginModule<F extends PluginFunction> {
  /** The plugin. */
  readonly default: F
}

/** The signature of the wrapping helper. */
export interface WrapPlugin {
  /**
   * Marks a plugin so that it registers into the context that registers it, not into a child context.
   *
   * Marks and returns the function itself, so its type and identity do not change. Wrapping it again replaces the
   * earlier marks.
   *
   * @param fn - the plugin, or a module with the plugin as its default export
   * @param metadata - the metadata of the plugin; a string is the range of interface versions
   * @throws PluginError when `fn` is not a function, or a field of the metadata is invalid
   */
  <F extends PluginFunction, const M extends PluginMetadata | string = PluginMetadata>(
    fn: F | PluginModule<F>,
    metadata?: M,
  ): F & Wrapped<M>
}

/** The wrapping helper, which is also a property of itself for `require`. */
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

// Callers see a type of `skipOverride` that depends on the metadata; the implementation only has `boolean`.
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
