import type { Child, Context, ContextFrom, ContextOf, ContextParts, Unmet, Widen, Within } from './context.ts'
import type { Cloister, LoadingCloister } from './instance.ts'
import type { LogLevel } from './logger.ts'
import type { Problem } from './problem.ts'
import type { SafePromiseLike } from './fastify/interfaces.ts'

/** The options of `register` that the framework reads. The plugin gets all options. */
export interface RegisterOptions {
  /**
   * Sets the prefix of the paths of the plugin's routes. Has no effect on a wrapped plugin.
   *
   * @default ''
   */
  prefix?: string
  /**
   * Sets the lowest level that the plugin's routes log.
   *
   * @default that of the parent
   */
  logLevel?: LogLevel
  /**
   * Sets functions that convert values for the log, by property name.
   *
   * @default those of the parent
   */
  logSerializers?: { readonly [key: string]: (value: never) => unknown }
  /**
   * Sets how payloads of the plugin's routes are converted to the types of their schemas; with `'strict'`, a lossy
   * conversion is an error.
   *
   * @default that of the parent
   */
  serialization?: 'compat' | 'strict'
}

/** A plugin for the context `C`. It is asynchronous or calls `done`. */
export type PluginFunction<C extends Context, Options> = PluginFor<Cloister<C>, Options>

type PluginFor<Instance, Options, Result = unknown> = (
  instance: Instance,
  options: Options,
  done: (error?: Error) => void,
) => Result

/**
 * The first argument of `register`: a plugin, a module with a plugin as its default export, or a promise of such a
 * module.
 *
 * Only what `register` must know of a plugin is inferred, because editors print all that is inferred: its options, its
 * result, what it shares, and its parameter if that has an annotation (`never` otherwise).
 */
export type Registrable<Options, Prefix extends string, Result, Shared, Given, C extends Context> =
  | SharedFunction<Options, Prefix, Result, Shared, Given, C>
  | PluginModule<Options, Prefix, Result, Shared, Given, C>
  | PromiseLike<
      | PluginModule<Options, Prefix, Result, Shared, Given, C>
      | SharedFunction<Options, Prefix, Result, Shared, Given, C>
    >

type SharedFunction<Options, Prefix extends string, Result, Shared, Given, C extends Context> = PluginFor<
  Given,
  Options,
  Result
> &
  PluginFunction<Child<C, Prefix>, Options> &
  Sharing<Shared>

interface PluginModule<Options, Prefix extends string, Result, Shared, Given, C extends Context> {
  readonly default: SharedFunction<Options, Prefix, Result, Shared, Given, C>
}

/** A description of what a plugin with the parameter type `Given` misses in the context `C`, if it misses something. */
type Needs<Given, C extends Context> = [Unmet<C, ContextOf<Given>>] extends [never]
  ? unknown
  : Problem<`this plugin needs ${Unmet<C, ContextOf<Given>>}, which this context does not have: register what provides it first`>

/**
 * Says what a plugin adds to the context that registers it: `true` for all that the instance has that it returns, or
 * the parts themselves. The helper `@cloister/plugin` writes it, too; the key is a string because the compiler takes
 * the symbols of two packages for two.
 */
interface Sharing<Shared> {
  /** Exists only in types. */
  readonly '~shared'?: Shared
}

/** The second argument of `register`. It is optional if the plugin requires no option. */
export type RegisterArguments<C extends Context, Options, Prefix extends string> = {} extends Options
  ? [options?: OptionsOrFactory<C, Options, Prefix>]
  : [options: OptionsOrFactory<C, Options, Prefix>]

type OptionsOrFactory<C extends Context, Options, Prefix extends string> =
  | WithPrefix<Options, Prefix>
  | ((parent: Cloister<C>) => WithPrefix<Options, Prefix>)
type WithPrefix<Options, Prefix extends string> = Options &
  Omit<RegisterOptions, 'prefix'> & { prefix?: Prefix }

/**
 * The type of `register`. A plugin that breaks encapsulation widens the instance type; an encapsulated one doesn't
 * change it.
 */
export interface Register<Self = unknown> {
  <
    Options = Record<never, never>,
    const Prefix extends string = '',
    Result = unknown,
    Shared = false,
    Given = never,
  >(
    plugin: Needs<Given, ContextOf<Self>> &
      Registrable<Options, Prefix, Result, Shared, Given, ContextOf<Self>>,
    ...options: RegisterArguments<ContextOf<Self>, Options, Prefix>
  ): LoadingCloister<AfterRegister<ContextOf<Self>, Result, Shared>>
}

type AfterRegister<C extends Context, Result, Shared> = true extends Shared
  ? Widen<C, Awaited<Result> extends Within<infer D> ? D : {}>
  : Shared extends object
    ? Widen<C, Shared>
    : C

/** The declarations of a plugin. */
export interface PluginContract {
  /** The parts that the context must have before the plugin is registered. */
  readonly needs?: ContextParts
  /** The parts that the plugin adds to the context that registers it. */
  readonly provides?: ContextParts
  /** The plugin's options. */
  readonly options?: object
}

type Stated<K, P extends keyof PluginContract> = K extends { readonly [X in P]: infer V extends object }
  ? V
  : {}

/** The instance that a plugin with contract `K` gets. */
export type PluginInstance<K extends PluginContract> = Cloister<ContextFrom<Stated<K, 'needs'>>>

/** The instance that a plugin with contract `K` may return, so that the compiler checks its additions. */
export type ProvidedInstance<K extends PluginContract> = Cloister<ContextFrom<Stated<K, 'provides'>>>

/** A plugin created by `definePlugin`, with its requirements, additions and options. */
export interface DefinedPlugin<K extends PluginContract> extends Sharing<
  K extends { readonly provides: infer Provided extends object } ? Provided : false
> {
  (instance: PluginInstance<K>, options: Stated<K, 'options'>): Promise<void>
}

/**
 * The argument of `definePlugin`. What a plugin provides on requests is proven: either the plugin returns the chained
 * instance, which the compiler checks, or it lists the names as `provides`, which are checked when it has loaded.
 */
export type PluginDefinition<K extends PluginContract> = PluginFacts<K> &
  (Stated<K, 'provides'> extends { readonly request: infer Request extends object }
    ? ReturningPlugin<K> | ListingPlugin<K, keyof Request & string>
    : SilentPlugin<K>)

interface SilentPlugin<K extends PluginContract> {
  /** The plugin function. If it returns the chained instance, the compiler checks that it adds what it declares. */
  readonly plugin: (
    instance: PluginInstance<K>,
    options: Stated<K, 'options'>,
  ) => ProvidedInstance<K> | void | Promise<ProvidedInstance<K> | void>
}

interface ReturningPlugin<K extends PluginContract> {
  /** The plugin function. It returns the chained instance, so that the compiler checks what it adds. */
  readonly plugin: (
    instance: PluginInstance<K>,
    options: Stated<K, 'options'>,
  ) => ProvidedInstance<K> | Promise<ProvidedInstance<K>>
}

interface ListingPlugin<K extends PluginContract, Name extends string> extends SilentPlugin<K> {
  /**
   * The names that the plugin gives to requests. Each must be a guard, a getter or a decoration with a value.
   *
   * @throws `CLO_ERR_PLUGIN_PROVIDES_NOTHING` from `ready`
   */
  readonly provides: { readonly request: readonly Name[] }
}

interface PluginFacts<K extends PluginContract> {
  /** The name, for errors and for `dependencies` of other plugins. */
  readonly name?: string
  /**
   * The range of interface versions that the plugin supports (semver).
   *
   * @throws `CLO_ERR_PLUGIN_VERSION_MISMATCH` from `register`, if the app supports none of them
   */
  readonly version?: string
  /**
   * The names of plugins that must be registered first.
   *
   * @throws `CLO_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED` from `register`
   */
  readonly dependencies?: readonly string[]
  /**
   * The decorations that must already exist, checked at boot.
   *
   * @throws `CLO_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE` from `register`
   */
  readonly decorators?: {
    readonly cloister?: readonly (string | symbol)[]
    readonly request?: readonly (string | symbol)[]
    readonly reply?: readonly (string | symbol)[]
  }
  /**
   * The names of route options that the plugin reads. After the registration, routes of the context and its children
   * may use them, even with `strict` and `unknownRouteOptions`.
   */
  readonly routeOptions?: readonly string[]
  /**
   * Gives the plugin its options alone, without those that `register` reads (`prefix`, `logLevel`, …), so that it can
   * refuse unknown ones.
   *
   * @default false
   */
  readonly ownOptions?: boolean
  /**
   * Refuses a second registration: in the same context (`'context'`), so that a child may have its own, or also in the
   * contexts below (`'lineage'`).
   *
   * @default any number of registrations
   * @throws `CLO_ERR_PLUGIN_REGISTERED_TWICE` from `register`
   */
  readonly once?: 'context' | 'lineage'
  /** Gives the plugin its own context. A plugin with `provides` shares the context of its parent. */
  readonly encapsulate?: K extends { readonly provides: object } ? false : boolean
}

/** The type of `definePlugin`. */
export type DefinePlugin = <K extends PluginContract = {}>(
  definition: PluginDefinition<K>,
) => DefinedPlugin<K>

/** The methods of an instance for plugins, and for the boot that loads them. */
export interface PluginMembers {
  /**
   * Registers a plugin. It gets a child context, unless it is wrapped to share this one. It loads before
   * `ready` and `listen` complete, in the order of registration, within `pluginTimeout`.
   *
   * @throws `CLO_ERR_PLUGIN_NOT_VALID`, `CLO_ERR_ROOT_PLG_BOOTED` after boot; errors of the plugin itself
   * reject `after`, `ready` and `listen`
   * @example
   * ```ts
   * app.register(async (users) => { users.get('/', () => []) }, { prefix: '/users' })
   * ```
   */
  readonly register: Register<this>
  /** Returns whether a plugin with this name is registered in this context or an ancestor. */
  hasPlugin(name: string): boolean
  /**
   * Loads the plugins registered so far; resolves once they are loaded.
   *
   * @throws the error of a plugin, `CLO_ERR_PLUGIN_TIMEOUT`
   */
  after<T>(this: T): T & SafePromiseLike<T>
  /** Calls back once the plugins registered so far are loaded, with the error of a failed plugin. */
  after<T>(this: T, listener: (error: Error | null) => void): T
  /**
   * Loads all plugins, compiles the routes and runs `onReady` hooks; resolves once the app can handle requests.
   * Afterwards no routes, hooks or plugins can be added.
   *
   * @throws the error of a plugin or route, `CLO_ERR_PLUGIN_TIMEOUT`, `CLO_ERR_HOOK_TIMEOUT`
   */
  ready<T>(this: T): T & SafePromiseLike<T>
  /** Calls back once the app can handle requests, with the error of a failed boot. */
  ready<T>(this: T, listener: (error: Error | null) => void | Promise<void>): T
}
