import type { SchemaStore } from '@cloister/schema'

import { isFunction, type AnyFunction, type Dictionary } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { DecoratorTable, type BuiltInMembers, type DecoratorKind } from './decorators.ts'
import type { HookEntry } from '../hooks/hook-entry.ts'
import type { HookName } from '../types/hooks.ts'
import { createDefaultParsers } from '../body/default-parsers.ts'
import { ParserTable } from '../body/parser-table.ts'
import { createBucket, type SchemaBucket } from './shared-schemas.ts'
import type { ContextServices } from './services.ts'

/** Settings that a context inherits from its nearest ancestor that has them. */
export interface ContextSettings {
  validatorCompiler: AnyFunction
  serializerCompiler: AnyFunction
  schemaErrorFormatter: AnyFunction
  replySerializer: AnyFunction
  childLoggerFactory: AnyFunction
  genReqId: AnyFunction
  schemaController: Dictionary
  serialization: 'compat' | 'strict'
}

export type SettingName = keyof ContextSettings

/** A setting with the place that set it; `null` if it is an option of the app or of `register`. */
export interface Setting<K extends SettingName> {
  readonly value: ContextSettings[K]
  readonly callSite: CallSite | null
}

/** An error handler of a context, with the place that set it. */
export interface ErrorHandlerSetting {
  readonly fn: AnyFunction
  readonly callSite: CallSite
}

/** The members that apps, requests and replies have before any decorator. */
export type BuiltIns = Readonly<Record<DecoratorKind, BuiltInMembers>>

/**
 * A node of the encapsulation tree: everything that was registered in it, without its descendants.
 *
 * Until the app is sealed, only the plugin function of the context changes its fields.
 */
export class Context {
  readonly app: ContextServices
  readonly parent: Context | null
  readonly name: string
  prefix: string
  readonly decorators: Readonly<Record<DecoratorKind, DecoratorTable>>
  readonly children: Context[] = []
  /** the hooks in force, including inherited ones, in the order in which they were added */
  readonly hooks: HookEntry[]
  readonly parsers: ParserTable
  readonly schemas: SchemaStore
  /** its own error handlers; each gets the errors that the one before it passes on */
  readonly errorHandlers: ErrorHandlerSetting[] = []
  readonly settings: { [K in SettingName]?: Setting<K> } = {}
  logLevel: string
  logSerializers: Dictionary | null
  readonly builtIns: BuiltIns
  /** names of the plugins that were registered in it, including wrapped ones */
  readonly pluginNames: string[]
  /** the names in the metadata of plugins; dependencies refer to these */
  readonly registeredPlugins: Set<string> = new Set()
  /** call sites of the plugins that may be registered once, by name */
  readonly onlyOnce: Map<string, CallSite> = new Map()
  /** custom route options of its plugins */
  readonly routeOptions: Set<string> = new Set()
  /** the object that user code calls the app; set once, when the context is created */
  instance: object = Object.prototype
  /** how long its plugin took to load, or has taken so far; `null` before the load */
  loading: { readonly tookMs: number } | null = null
  #bucket: SchemaBucket | null = null

  /** @param parent - `null` for the root; `create-child.ts` has the rule for all others */
  constructor(app: ContextServices, parent: Context | null, name: string, builtIns: BuiltIns) {
    const { rootPluginName } = app.options
    this.app = app
    this.parent = parent
    this.name = name
    this.prefix = parent?.prefix ?? ''
    this.parsers =
      parent === null
        ? createDefaultParsers({ ...app.options, ...app.exact })
        : new ParserTable(parent.parsers)
    this.schemas = app.engine.createStore(parent?.schemas, name)
    this.logLevel = parent?.logLevel ?? ''
    this.logSerializers = parent?.logSerializers ?? null
    this.builtIns = builtIns
    this.pluginNames = [parent === null ? rootPluginName : name]
    this.hooks = [...(parent?.hooks ?? [])]
    parent?.children.push(this)
    const table = (kind: DecoratorKind): DecoratorTable =>
      new DecoratorTable(kind, builtIns[kind], parent?.decorators[kind] ?? null)
    this.decorators = { instance: table('instance'), request: table('request'), reply: table('reply') }
  }

  /** The application's own store for the shared schemas of this context, if the schema controller has a `bucket`. */
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

  /** Returns whether this context is `other` or one of its descendants. */
  isWithin(other: Context): boolean {
    return this === other || (this.parent?.isWithin(other) ?? false)
  }

  /** Returns whether a plugin with this name created this context, or is registered in it or in an ancestor. */
  hasPlugin(name: string): boolean {
    return this.pluginNames.includes(name) || this.visiblePlugins().includes(name)
  }

  visiblePlugins(): string[] {
    return this.lineage().flatMap(({ registeredPlugins }) => [...registeredPlugins])
  }

  /** Returns the error handler that gets an error first: the last one of the nearest context that has any. */
  get errorHandler(): ErrorHandlerSetting | null {
    return this.errorHandlers[0] ?? this.parent?.errorHandler ?? null
  }

  /** Sets a setting for this context and its descendants. `null` has no effect. */
  set<K extends SettingName>(name: K, value: ContextSettings[K] | null, callSite: CallSite | null): void {
    if (value !== null) Object.assign(this.settings, { [name]: { value, callSite } })
  }

  /** Returns a setting of the nearest context that has it. */
  setting<K extends SettingName>(name: K): ContextSettings[K] | null {
    return this.settingInForce(name)?.value ?? null
  }

  /** Returns a setting of the nearest context that has it, with the place that set it. */
  settingInForce<K extends SettingName>(name: K): Setting<K> | null {
    return this.settings[name] ?? this.parent?.settingInForce(name) ?? null
  }

  lineage(): readonly Context[] {
    return this.parent === null ? [this] : [...this.parent.lineage(), this]
  }

  /** Adds a hook to this context and its descendants, which run it after their existing hooks. */
  addHook(entry: HookEntry): void {
    this.hooks.push(entry)
    for (const child of this.children) child.addHook(entry)
  }

  hooksInForce(name: HookName): readonly HookEntry[] {
    return this.hooks.filter((entry) => entry.name === name)
  }
}
