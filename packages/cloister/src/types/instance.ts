import type { Context, Ctx, Within } from './context.ts'
import type { BaseLogger } from './logger.ts'
import type { ResolvedOptions } from './options.ts'
import type { FastifyInstance, FastifyTypeProvider, SafePromiseLike } from './fastify/interfaces.ts'
import type { DecoratorMembers, OverrideMembers } from './decorate.ts'
import type { GuardMembers } from './guards.ts'
import type { InspectionMembers, OwnRoutingMembers, RoutingMembers } from './routing.ts'
import type { ParserMembers } from './content-type.ts'
import type { PluginMembers } from './plugin.ts'
import type { SchemaMembers } from './refs.ts'
import type { OwnServerMembers, ServerMembers } from './server.ts'
import type { SettingMembers } from './settings.ts'

/**
 * An app, or the instance that a plugin gets, in the context `C`.
 *
 * All instances share all members, which read the context from the type that they are called on. The decorations of the
 * context are added to them.
 */
export type Cloister<C extends Context = Ctx> = FastifyInstance & OwnMembers & Within<C> & C['app']

/** An instance that can be awaited. It resolves when the plugins registered so far are loaded. */
export type LoadingCloister<C extends Context> = Cloister<C> & SafePromiseLike<Cloister<C>>

declare const provider: unique symbol

/** Marks an instance with the type argument of `withTypeProvider`. */
export interface WithTypeProvider<Provider> {
  /** Exists only in types. */
  readonly [provider]?: Provider
}

/**
 * The members that only Cloister has. They are beside those of `FastifyInstance`, because plugins may declare members
 * with their names there.
 */
export interface OwnMembers extends GuardMembers, OverrideMembers, OwnServerMembers, OwnRoutingMembers {
  /** The version of Cloister. */
  readonly cloisterVersion: string
}

/** The members of every instance in any context. */
export interface CloisterInstance extends MembersOfFastify, OwnMembers {}

/** The members that an application or a plugin declares on `CloisterInstance`. */
export type DeclaredMembers = Omit<CloisterInstance, keyof MembersOfFastify | keyof OwnMembers>

/** The members of every instance in any context, without those that only Cloister has. */
export interface MembersOfFastify
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
   * The name of the plugin that created this context. Plugins that share the context append their names: `users -> db`.
   */
  readonly pluginName: string
  /** The path prefix of this context, including those of its ancestors; empty at the root. */
  readonly prefix: string
  /** The interface version that plugins are checked against (their `fastify` range). */
  readonly version: string
  /** The options of the app with defaults, frozen. It contains no functions, keys and certificates. */
  initialConfig: ResolvedOptions
  /**
   * Returns this instance. Types follow schemas without a type provider; this method exists for code written for
   * Fastify.
   */
  withTypeProvider<Provider extends FastifyTypeProvider, T = FastifyInstance>(
    this: T,
  ): T & WithTypeProvider<Provider>
  /** The logger of the app. It discards everything if `logger` is off. A plugin may replace it in its context. */
  log: BaseLogger
}
