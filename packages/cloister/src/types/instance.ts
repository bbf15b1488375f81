import type { Context, Ctx, Within } from './context.ts'
import type { BaseLogger } from './logger.ts'
import type { ResolvedOptions } from './options.ts'
import type { FastifyInstance, FastifyTypeProvider, SafePromiseLike } from './fastify/interfaces.ts'
import type { DecoratorMembers } from './decorate.ts'
import type { InspectionMembers, RoutingMembers } from './routing.ts'
import type { ParserMembers } from './content-type.ts'
import type { PluginMembers } from './plugin.ts'
import type { SchemaMembers } from './refs.ts'
import type { ServerMembers } from './server.ts'
import type { SettingMembers } from './settings.ts'

/**
 * An app, or the instance that a plugin gets, in the context `C`.
 *
 * All instances share all members, which read the context from the type that they are called on. The decorations of
 * the context are beside them.
 */
export type Cloister<C extends Context = Ctx> = FastifyInstance & Within<C> & C['app']

/** An instance that you can await: it resolves when the plugins registered so far are loaded. */
export type LoadingCloister<C extends Context> = Cloister<C> & SafePromiseLike<Cloister<C>>

declare const provider: unique symbol

/** Marks an instance with the type provider that `withTypeProvider` was given. */
export interface WithTypeProvider<Provider> {
  /** In types alone. */
  readonly [provider]?: Provider
}

/** The members of every instance, whatever its context. */
export interface CloisterInstance
  extends
    SchemaMembers,
    DecoratorMembers,
    PluginMembers,
    ServerMembers,
    RoutingMembers,
    SettingMembers,
    ParserMembers,
    InspectionMembers {
  /**
   * The name of the plugin that this instance was created for. Plugins that share the context add theirs:
   * `users -> db`.
   */
  readonly pluginName: string
  /** The path prefix of this context, with those of the contexts above it; empty at the root. */
  readonly prefix: string
  /** The interface version that plugins are checked against (their `fastify` range). */
  readonly version: string
  /** The version of Cloister. */
  readonly cloisterVersion: string
  /** The options of the app after defaults, frozen; without functions, keys and certificates. */
  initialConfig: ResolvedOptions
  /**
   * Returns this instance. Types follow schemas without a type provider; code written for Fastify can call
   * it.
   */
  withTypeProvider<Provider extends FastifyTypeProvider, T = FastifyInstance>(
    this: T,
  ): T & WithTypeProvider<Provider>
  /** The logger of the app; it discards everything if `logger` is off. A plugin may replace it in its context. */
  log: BaseLogger
}
