import type { SchemaStore } from '@cloister/schema'

import { isFunction, type AnyFunction } from '../guards.ts'
import type { CallSite } from '../call-site.ts'
import { DecoratorTable, type BuiltInMembers, type DecoratorKind } from './decorators.ts'
import type { HookEntry } from '../hooks/hook-entry.ts'
import type { HookName } from '../types/hooks.ts'
import type { ParserTable } from '../body/parser-table.ts'
import { createBucket, type SchemaBucket } from './shared-schemas.ts'
import type { ContextServices } from './services.ts'

/** Settings that a context takes from its nearest ancestor that has them. */
export interface ContextSettings {
  errorHandler: AnyFunction
  validatorCompiler: AnyFunction
  serializerCompiler: AnyFunction
  schemaErrorFormatter: AnyFunction
  replySerializer: AnyFunction
  childLoggerFactory: AnyFunction
  genReqId: AnyFunction
  schemaController: Readonly<Record<string, unknown>>
  serialization: 'compat' | 'strict'
}

export type SettingName = keyof ContextSettings

/** A setting, and where a method set it; `null` for an option of the app or of `register`. */
export interface Setting<K extends SettingName> {
  readonly value: ContextSettings[K]
  readonly callSite: CallSite | null
}

/** The members that the framework itself gives to apps, requests and replies. */
export type BuiltIns = Readonly<Record<DecoratorKind, BuiltInMembers>>

/** The parts of a new context; `create-child.ts` has the parts that a child takes from its parent. */
export type ContextParts = Pick<
  Context,
  | 'app'
  | 'parent'
  | 'name'
  | 'pluginNames'
  | 'prefix'
  | 'parsers'
  | 'schemas'
  | 'logLevel'
  | 'logSerializers'
  | 'builtIns'
>

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
  /** the contexts below it, in the order in which they were made */
  readonly children: Context[] = []
  /** the hooks in force, those of its ancestors included, in the order in which they were added */
  readonly hooks: HookEntry[]
  readonly parsers: ParserTable
  readonly schemas: SchemaStore
  readonly settings: { [K in SettingName]?: Setting<K> } = {}
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
  /** how long its plugin took to load, or has taken so far; `null` before */
  loading: { readonly tookMs: number } | null = null
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
    this.pluginNames = parts.pluginNames
    this.hooks = [...(parent?.hooks ?? [])]
    parent?.children.push(this)
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
    return this.pluginNames.includes(name) || this.visiblePlugins().includes(name)
  }

  /** The names of the plugins that are registered in this context and its ancestors. */
  visiblePlugins(): string[] {
    return this.lineage().flatMap(({ registeredPlugins }) => [...registeredPlugins])
  }

  /** Sets a setting of this context and those below; `null` leaves it to the ancestors. */
  set<K extends SettingName>(name: K, value: ContextSettings[K] | null, callSite: CallSite | null): void {
    if (value !== null) Object.assign(this.settings, { [name]: { value, callSite } })
  }

  /** A setting of the nearest context that has it. */
  setting<K extends SettingName>(name: K): ContextSettings[K] | null {
    return this.settingInForce(name)?.value ?? null
  }

  /** A setting of the nearest context that has it, and where it was set. */
  settingInForce<K extends SettingName>(name: K): Setting<K> | null {
    return this.settings[name] ?? this.parent?.settingInForce(name) ?? null
  }

  /** The contexts from the root down to this one. */
  lineage(): readonly Context[] {
    return this.parent === null ? [this] : [...this.parent.lineage(), this]
  }

  /** Adds a hook to this context and to those below, which run it behind the hooks that they have. */
  addHook(entry: HookEntry): void {
    this.hooks.push(entry)
    for (const child of this.children) child.addHook(entry)
  }

  /** The hooks of one name that routes of this context run. */
  hooksInForce(name: HookName): readonly HookEntry[] {
    return this.hooks.filter((entry) => entry.name === name)
  }
}
