import type { SchemaStore } from '@cloister/schema'

import { isFunction, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { DecoratorTable, type BuiltInMembers, type DecoratorKind } from './decorators.ts'
import { HookTable, type HookEntry } from '../hooks/table.ts'
import type { HookName } from '../types/hooks.ts'
import type { ParserTable } from '../body/parser-table.ts'
import { createBucket, type SchemaBucket } from './shared-schemas.ts'
import type { ContextServices } from './services.ts'

/** A function of the application that a context holds, with its call site. */
export interface Registered<T> {
  readonly value: T
  readonly callSite: CallSite
}

/** Settings that a context takes from its nearest ancestor that has them. */
export interface ContextSettings {
  errorHandler: Registered<AnyFunction> | null
  validatorCompiler: AnyFunction | null
  serializerCompiler: AnyFunction | null
  schemaErrorFormatter: AnyFunction | null
  replySerializer: AnyFunction | null
  childLoggerFactory: AnyFunction | null
  genReqId: AnyFunction | null
  schemaController: Readonly<Record<string, unknown>> | null
  serialization: 'compat' | 'strict' | null
}

export type SettingName = keyof ContextSettings

/** The members that the framework itself gives to apps, requests and replies. */
export type BuiltIns = Readonly<Record<DecoratorKind, BuiltInMembers>>

/** The parts of a new context; `create-child.ts` has the parts that a child takes from its parent. */
export interface ContextParts {
  readonly app: ContextServices
  readonly parent: Context | null
  readonly name: string
  /** begins `app.pluginName`, where that is not the name */
  readonly pluginName?: string
  readonly prefix: string
  readonly parsers: ParserTable
  readonly schemas: SchemaStore
  readonly logLevel: string
  readonly logSerializers: Readonly<Record<string, unknown>> | null
  readonly builtIns: BuiltIns
}

/**
 * One node of the encapsulation tree: everything that was registered in it, and nothing of its descendants.
 *
 * Owner of every field: the plugin function that the context was made for, until the app is sealed.
 */
export class Context {
  readonly app: ContextServices
  readonly parent: Context | null
  /** name of the plugin that it was made for */
  readonly name: string
  /** full path prefix of its routes */
  prefix: string
  readonly decorators: Readonly<Record<DecoratorKind, DecoratorTable>>
  readonly hooks: HookTable
  readonly parsers: ParserTable
  readonly schemas: SchemaStore
  readonly settings: Partial<ContextSettings> = {}
  /** where its settings were set, but for the error handler and for options of the app */
  readonly settingCallSites: Partial<Record<SettingName, CallSite>> = {}
  logLevel: string
  logSerializers: Readonly<Record<string, unknown>> | null
  readonly builtIns: BuiltIns
  /** names of the plugins that were registered in it, wrapped ones included */
  readonly pluginNames: string[]
  /** the names that plugins gave themselves, for those that depend on them */
  readonly registeredPlugins: Set<string> = new Set()
  /** options of routes that its plugins bring */
  readonly routeOptions: Set<string> = new Set()
  /** what user code calls the app; set once, when the context is made */
  instance: object = Object.prototype
  #bucket: SchemaBucket | null = null

  constructor(parts: ContextParts) {
    const { app, parent, builtIns } = parts
    this.app = app
    this.parent = parent
    this.name = parts.name
    this.prefix = parts.prefix
    this.parsers = parts.parsers
    this.schemas = parts.schemas
    this.logLevel = parts.logLevel
    this.logSerializers = parts.logSerializers
    this.builtIns = builtIns
    this.pluginNames = [parts.pluginName ?? parts.name]
    this.hooks = new HookTable(parent?.hooks ?? null)
    const table = (kind: DecoratorKind): DecoratorTable =>
      new DecoratorTable(kind, builtIns[kind], parent?.decorators[kind] ?? null)
    this.decorators = { instance: table('instance'), request: table('request'), reply: table('reply') }
  }

  /** Where the application keeps this context's shared schemas, when a schema controller says so. */
  bucket(): SchemaBucket | null {
    const factory = this.setting('schemaController')?.['bucket']
    if (!isFunction(factory)) return null
    if (this.#bucket?.factory !== factory) {
      this.#bucket = createBucket(factory, this.parent?.bucket()?.getSchemas())
    }
    return this.#bucket
  }

  /** The names from the root to this context: `root > api > users`. */
  get path(): string {
    return this.parent === null ? this.name : `${this.parent.path} > ${this.name}`
  }

  /** Whether another context is this one or one of its ancestors. */
  isWithin(other: Context): boolean {
    return this === other || (this.parent?.isWithin(other) ?? false)
  }

  /** A plugin of this name made this context, or is registered in this context or an ancestor. */
  hasPlugin(name: string): boolean {
    return (
      this.pluginNames.includes(name) ||
      this.lineage().some(({ registeredPlugins }) => registeredPlugins.has(name))
    )
  }

  /** A setting of the nearest context that has it. */
  setting<K extends SettingName>(name: K): ContextSettings[K] {
    return this.settings[name] ?? this.parent?.setting(name) ?? null
  }

  /** Where the setting in force was set; `null` for an option of the app and for none. */
  settingCallSite(name: SettingName): CallSite | null {
    if (this.settings[name] != null) return this.settingCallSites[name] ?? null
    return this.parent?.settingCallSite(name) ?? null
  }

  /** The contexts from the root down to this one. */
  lineage(): readonly Context[] {
    return this.parent === null ? [this] : [...this.parent.lineage(), this]
  }

  /** The hooks that routes of this context run. */
  hooksInForce(name: HookName): readonly HookEntry[] {
    return this.hooks.get(name)
  }
}
